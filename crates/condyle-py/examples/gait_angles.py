"""Gait: angles over the cycle, the mean of all strides."""

import numpy as np

import condyle

trial = condyle.simulate(routine="walk", seconds=4, rate=50, markers="plug-in-gait").trial
for person in condyle.gait(condyle.run(trial)):
    for name in ("cadence", "speed"):
        for own in person.parameters:
            if own["name"] == name:
                print(f"{own['side']} {name}: {own['value']:.2f} {own['unit']}")
    knee = [cycle["values_deg"] for cycle in person.cycles if "knee" in cycle["joint"] and cycle["angle"] == "flexion"]
    mean = np.nanmean(np.array(knee, dtype=float), axis=0)
    print(f"knee flexion, {len(knee)} strides: {mean.min():.0f} to {mean.max():.0f} degrees")
