"""Recordings and motion in the types of other libraries, none of which is needed for anything else."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Dict, List, Tuple

import numpy as np
import numpy.typing as npt

from ._errors import make

if TYPE_CHECKING:
    from ._result import Performer
    from ._steps import Gait
    from ._trial import Trial

AXES = ("x", "y", "z")
Floats = npt.NDArray[np.float64]


def need(name: str, extra: str = "frames") -> Any:
    """A library, or how to get it."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise make(f"{name} is needed for this: pip install 'condyle[{extra}]'", "other", "missing-library") from error


def _trial_columns(trial: "Trial") -> List[Tuple[Tuple[str, str], Floats]]:
    markers = trial.markers
    columns = []
    for place, label in enumerate(trial.labels):
        positions = markers.at(place).view(np.ndarray)
        columns += [((label, axis), positions[:, index]) for index, axis in enumerate(AXES)]
    return columns


def _performer_columns(performer: "Performer") -> List[Tuple[Tuple[str, str], Floats]]:
    columns = []
    for name, joint in performer.joints.items():
        positions, angles = joint.positions_m, joint.angles_deg
        columns += [((name, f"{axis}_m"), positions[:, index]) for index, axis in enumerate(AXES)]
        columns.append(((name, "sd_m"), joint.sds_m))
        columns += [((name, f"{angle}_deg"), angles[:, index]) for index, angle in enumerate(joint.angle_names)]
        columns.append(((name, "angle_sd_deg"), np.degrees(joint.angle_sds_rad)))
    return columns


def _pandas(columns: List[Tuple[Tuple[str, str], Floats]], time_s: Floats, names: List[str]) -> Any:
    pandas = need("pandas")
    keys = pandas.MultiIndex.from_tuples([key for key, _ in columns], names=names)
    numbers = np.column_stack([own for _, own in columns]) if columns else np.empty((len(time_s), 0))
    return pandas.DataFrame(numbers, index=pandas.Index(time_s, name="time_s"), columns=keys)


def _arrow(columns: List[Tuple[str, Floats]], time_s: Floats) -> Any:
    pyarrow = need("pyarrow")
    arrays = {"time_s": time_s, **dict(columns)}
    return pyarrow.table({name: pyarrow.array(own) for name, own in arrays.items()})


def _flat(columns: List[Tuple[Tuple[str, str], Floats]], between: str) -> List[Tuple[str, Floats]]:
    return [(between.join(key), own) for key, own in columns]


def trial_to_pandas(trial: "Trial") -> Any:
    return _pandas(_trial_columns(trial), trial.time_s, ["marker", "axis"])


def trial_to_polars(trial: "Trial") -> Any:
    return need("polars").from_arrow(trial_to_arrow(trial))


def trial_to_arrow(trial: "Trial") -> Any:
    return _arrow(_flat(_trial_columns(trial), "_"), trial.time_s)


def _one_block(arrays: List[Floats]) -> Floats:
    """Arrays frames x 3 as one array axis x channel x time: a view where they lie side by side in memory."""
    first = arrays[0]
    frames = len(first)
    start = first.__array_interface__["data"][0]
    step = 3 * frames * first.itemsize
    is_block = frames > 1 and all(
        own.strides == (8, 8 * frames) and own.__array_interface__["data"][0] == start + place * step
        for place, own in enumerate(arrays)
    )
    if not is_block:
        return np.stack([own.T for own in arrays], axis=1)
    shape, strides = (3, len(arrays), frames), (8 * frames, step, 8)
    return np.lib.stride_tricks.as_strided(first, shape=shape, strides=strides, writeable=False)


def _xarray(labels: List[str], arrays: List[Floats], time_s: Floats, rate_hz: float, name: str) -> Any:
    xarray = need("xarray")
    numbers = _one_block(arrays) if arrays else np.empty((3, 0, len(time_s)))
    coords = {"axis": list(AXES), "channel": labels, "time": time_s}
    attrs = {"units": "m", "rate": rate_hz, "first_frame": 0, "last_frame": len(time_s) - 1}
    return xarray.DataArray(numbers, coords=coords, dims=("axis", "channel", "time"), name=name, attrs=attrs)


def trial_to_xarray(trial: "Trial") -> Any:
    arrays = [trial.markers.at(place).view(np.ndarray) for place in range(len(trial.labels))]
    return _xarray(trial.labels, arrays, trial.time_s, trial.rate_hz, "markers")


def trial_to_timeseries(trial: "Trial") -> Any:
    ktk = need("kineticstoolkit", "kineticstoolkit")
    series = ktk.TimeSeries(time=trial.time_s)
    for place, label in enumerate(trial.labels):
        positions = trial.markers.at(place).view(np.ndarray)
        series.data[label] = np.column_stack([positions, np.ones(len(positions))])
        series = series.add_data_info(label, "Unit", "m")
    for event in trial.events:
        series = series.add_event(event.time_s, " ".join(filter(None, (event.context, event.label))))
    return series


def trial_from(source: Any, rate_hz: float = 0.0) -> "Trial":
    """A recording from what other libraries hold: a pandas table with columns (marker, axis), an xarray array with the
    dimensions axis, channel and time (pyomeca), or a kineticstoolkit TimeSeries."""
    from ._errors import argument
    from ._trial import Trial

    kind = type(source).__module__.split(".")[0], type(source).__name__
    markers: Dict[str, Floats] = {}
    if kind == ("pandas", "DataFrame"):
        if source.columns.nlevels != 2:
            raise argument("table: need columns (marker, axis), got columns of one level")
        times = source.index.to_numpy(dtype=float)
        for label in dict.fromkeys(source.columns.get_level_values(0)):
            markers[str(label)] = source[label][list(AXES)].to_numpy(dtype=float)
    elif kind == ("xarray", "DataArray"):
        ordered = source.transpose("channel", "time", "axis")
        times = ordered["time"].to_numpy().astype(float)
        for label in ordered["channel"].to_numpy():
            markers[str(label)] = ordered.sel(channel=label).to_numpy()[:, :3]
    elif kind == ("kineticstoolkit", "TimeSeries") or hasattr(source, "data") and hasattr(source, "time"):
        times = np.asarray(source.time, dtype=float)
        for label, own in source.data.items():
            if np.ndim(own) == 2 and np.shape(own)[1] in (3, 4):
                markers[str(label)] = np.asarray(own, dtype=float)[:, :3]
    else:
        raise argument(f"source: need a pandas table, an xarray array or a TimeSeries, got {'.'.join(kind)}")
    if not rate_hz and len(times) > 1:
        rate_hz = (len(times) - 1) / float(times[-1] - times[0])
    return Trial.from_markers(markers, rate_hz)


def performer_to_pandas(performer: "Performer") -> Any:
    return _pandas(_performer_columns(performer), performer.time_s, ["joint", "quantity"])


def performer_to_arrow(performer: "Performer") -> Any:
    return _arrow(_flat(_performer_columns(performer), " "), performer.time_s)


def performer_to_polars(performer: "Performer") -> Any:
    return need("polars").from_arrow(performer_to_arrow(performer))


def performer_to_xarray(performer: "Performer") -> Any:
    joints = performer.joints
    arrays = [joint.positions_m for joint in joints.values()]
    return _xarray(list(joints), arrays, performer.time_s, performer.rate_hz, "joints")


def gait_to_pandas(gait: "Gait") -> Any:
    pandas = need("pandas")
    counts: Dict[Tuple[str, str, str], int] = {}
    columns: Dict[Tuple[str, str, str, int], List[float]] = {}
    for cycle in gait.cycles:
        key = (cycle["side"], cycle["joint"], cycle["angle"])
        counts[key] = counts.get(key, -1) + 1
        columns[(*key, counts[key])] = [np.nan if own is None else own for own in cycle["values_deg"]]
    table = pandas.DataFrame(columns)
    table.columns.names = ["side", "joint", "angle", "stride"]
    table.index = pandas.Index(np.linspace(0, 100, len(table)), name="cycle_percent")
    return table
