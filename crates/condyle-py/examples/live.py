"""A stream: frame by frame, as a camera system gives them."""

import numpy as np

import condyle

trial = condyle.simulate(routine="walk", seconds=3, rate=50, markers="plug-in-gait").trial
frames = np.stack([np.asarray(marker) for marker in trial.markers.values()], axis=1)
live = condyle.Live(trial.labels, trial.rate_hz, subject=condyle.fit(trial).subjects[0])
for frame in np.ascontiguousarray(frames):
    live.push(frame)
print(live.joints_m().round(3))
