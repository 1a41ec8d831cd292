"""A first skeleton in five lines."""

import condyle

trial = condyle.simulate(routine="walk", seconds=3, rate=50, markers="plug-in-gait").trial
result = condyle.run(trial)
for name, joint in result.joints.items():
    print(f"{name}: {joint.known.kind}, centre known to {1e3 * joint.sd_m:.0f} mm, now at {joint.positions_m[0]}")
