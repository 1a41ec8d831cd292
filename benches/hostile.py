"""Files that promise far more than they hold, or hold much of what readers keep a record of."""

import shutil
import struct
import sys
from pathlib import Path

MEGABYTE = 1_000_000


def c3d_header(points, analog_per_frame, frames, scale):
    head = struct.pack("<BB5HfHHf", 2, 0x50, points, analog_per_frame, 1, frames, 0, scale, 3, 1, 100.0)
    return head.ljust(512, b"\0")


def c3d_parameters(entries):
    """A section of parameters; each entry is `(group, name, type, dimensions, data)`."""
    section = b"\x01\x50\x01\x54"
    for number in sorted({group for group, *_ in entries}):
        name = {1: b"POINT", 2: b"ANALOG", 3: b"ROTATION", 4: b"EVENT"}[number]
        section += struct.pack("<bb", len(name), -number) + name + struct.pack("<HB", 3, 0)
    for group, name, kind, dimensions, data in entries:
        body = struct.pack("<bB", kind, len(dimensions)) + bytes(dimensions) + data + b"\0"
        section += struct.pack("<bb", len(name), group) + name + struct.pack("<H", len(body) + 2) + body
    return section + b"\0" * 8


def c3d():
    promise = c3d_header(65535, 65535, 65535, -1.0)
    section = c3d_parameters([(1, b"USED", 2, [], b"\xff\xff"), (1, b"LABELS", -1, [255, 255], b"")])
    yield "c3d_promises_65535_points.c3d", promise + section.ljust(1536, b"\0")
    counts = [(3, b"USED", 2, [], b"\xff\xff"), (3, b"DATA_START", 2, [], b"\x02\x00"), (3, b"RATIO", 2, [], b"\x01\x00")]
    yield "c3d_promises_65535_bodies.c3d", promise + c3d_parameters(counts).ljust(1536, b"\0")
    # Integer points of one frame each: eight stored bytes become a trajectory with a name.
    one_frame = c3d_header(65535, 0, 1, 1.0) + c3d_parameters([]).ljust(512, b"\0")
    yield "c3d_65535_points_in_one_frame.c3d", one_frame + b"\1" * (65535 * 8)
    channels = c3d_header(0, 65535, 1, 1.0) + c3d_parameters([]).ljust(512, b"\0")
    yield "c3d_65535_channels_in_one_frame.c3d", channels + b"\1" * (65535 * 2)
    empty = [(1, b"L%d" % i, -1, [0, 255, 255], b"") for i in range(4000)]
    yield "c3d_strings_without_width.c3d", c3d_header(1, 0, 1, -1.0) + c3d_parameters(empty)
    wide = c3d_header(1, 0, 65535, 1.0) + c3d_parameters([]).ljust(512, b"\0")
    yield "c3d_integer_point_65535_frames.c3d", wide + b"\1\0" * (65535 * 4)


def trc_head(markers, frames):
    return (
        "PathFileType\t4\t(X/Y/Z)\tx.trc\n"
        "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\n"
        f"100\t100\t{frames}\t{markers}\tmm\n"
    )


def trc():
    yield "trc_million_tabs.trc", trc_head(41, 100) + "Frame#\tTime" + "\t" * MEGABYTE + "\n\n1\t0\t1\t2\t3\n"
    names = "".join(f"\t{i}\t\t" for i in range(66_000))
    yield "trc_many_markers.trc", trc_head(66_000, 1) + "Frame#\tTime" + names + "\n\n1\t0\t1\t2\t3\n"
    yield "trc_promises_markers.trc", trc_head(10**9, 10**9) + "Frame#\tTime\tA\n\n1\t0\t1\t2\t3\n"
    rows = "".join(f"{i}\t{i / 100}\n" for i in range(300_000))
    names = "".join(f"\tM{i}\t\t" for i in range(60_000))
    yield "trc_wide_head_empty_rows.trc", trc_head(60_000, 300_000) + "Frame#\tTime" + names + "\n\n" + rows
    yield "trc_empty_lines.trc", trc_head(1, 1) + "Frame#\tTime\tA\n\n" + "\n" * (5 * MEGABYTE)


def csv():
    columns = ",".join(f"m{i}_x,m{i}_y,m{i}_z" for i in range(66_000))
    yield "csv_many_columns.csv", f"time_s,{columns}\n0,1,2,3\n"
    head = "time_s," + ",".join(f"m{i}_x,m{i}_y,m{i}_z" for i in range(50_000))
    yield "csv_ragged_rows.csv", head + "\n" + "".join(f"{i / 100}\n" for i in range(300_000))
    yield "csv_commas.csv", "time_s,a_x,a_y,a_z\n" + "," * (5 * MEGABYTE) + "\n"
    yield "csv_one_digit_rows.csv", "time_s,a\n" + "1,1\n" * (2 * MEGABYTE)
    yield "csv_empty_cells.csv", "time_s,a_x,a_y,a_z\n" + ",,,\n" * (2 * MEGABYTE)
    bodies = ",".join(f"b{i}_{c}" for i in range(49_000) for c in ("qw", "qx", "qy", "qz"))
    yield "csv_many_bodies.csv", f"time_s,{bodies}\n0,1,0,0,0\n1\n"
    motive = "Format Version,1.23,Take Name,x,Export Frame Rate,100\n\n"
    rows = [",".join([first, second] + [cell] * 150_000) for first, second, cell in [("", "Type", "Marker"), ("", "Name", "A"), ("", "ID", "1"), ("", "", "Position"), ("Frame", "Time (Seconds)", "X")]]
    yield "csv_motive_wide.csv", motive + "\n".join(rows) + "\n0,0,1,2,3\n"


def bvh():
    deep = "".join(f"JOINT j{i}\n{{\nOFFSET 0 0 0\nCHANNELS 0\n" for i in range(100_000))
    yield "bvh_deep.bvh", f"HIERARCHY\nROOT r\n{{\nOFFSET 0 0 0\nCHANNELS 0\n{deep}"
    closed = deep + "}\n" * 100_001
    yield "bvh_deep_closed.bvh", f"HIERARCHY\nROOT r\n{{\nOFFSET 0 0 0\nCHANNELS 0\n{closed}MOTION\nFrames: 1\nFrame Time: 0.01\n"
    flat = "".join(f"JOINT j{i} {{ OFFSET 0 0 0 CHANNELS 0 }}\n" for i in range(50_000))
    flat = f"HIERARCHY\nROOT r\n{{\nOFFSET 0 0 0\nCHANNELS 1 Xposition\n{flat}}}\nMOTION\n"
    yield "bvh_many_joints_many_frames.bvh", flat + "Frames: 1000000\nFrame Time: 0.01\n" + "1\n" * MEGABYTE
    small = "HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 1 Xposition\n}\nMOTION\n"
    yield "bvh_promises_frames.bvh", small + "Frames: 4000000000\nFrame Time: 0.01\n1\n"
    yield "bvh_one_channel.bvh", small + "Frames: 2000000\nFrame Time: 0.01\n" + "1\n" * (2 * MEGABYTE)


def sto():
    yield "sto_promises_columns.sto", "x\nversion=1\nnRows=1000000000\nnColumns=1000000000\ninDegrees=no\nendheader\ntime\ta\n0\t1\n"
    names = "\t".join(f"c{i}" for i in range(99_000))
    yield "sto_many_columns.sto", f"x\nversion=1\nnRows=1\nnColumns=99001\nendheader\ntime\t{names}\n0\t1\n"
    names = "\t".join(f"c{i}" for i in range(90_000))
    rows = "0\n" * MEGABYTE
    yield "sto_ragged_rows.sto", f"x\nversion=1\nnRows=1000000\nnColumns=90001\nendheader\ntime\t{names}\n{rows}"
    yield "sto_one_digit_rows.sto", "x\nversion=1\nnRows=4000000\nnColumns=2\nendheader\ntime\ta\n" + "1\t1\n" * (2 * MEGABYTE)


def mvnx():
    head = '<mvnx><subject frameRate="60"><segments>'
    many = "".join(f'<segment id="{i}" label="s{i}"/>' for i in range(400_000))
    yield "mvnx_many_segments.mvnx", head + many + "</segments><frames></frames></subject></mvnx>"
    yield "mvnx_endless_segments.mvnx", head + many
    frames = '<frame type="normal"><orientation></orientation></frame>' * 60_000
    yield "mvnx_many_segments_many_frames.mvnx", head + many[:MEGABYTE].rsplit("<", 1)[0] + "</segments><frames>" + frames + "</frames></subject></mvnx>"
    yield "mvnx_deep.mvnx", head + "<segment>" * 500_000
    numbers = "<orientation>" + "1 " * (3 * MEGABYTE) + "</orientation>"
    yield "mvnx_numbers.mvnx", head + '<segment id="1" label="a"/></segments><frames><frame type="normal">' + numbers + "</frame></frames></subject></mvnx>"


def asf():
    head = ":version 1.10\n:name x\n:units\n  mass 1\n  length 1\n  angle deg\n:root\n  order TX TY TZ RX RY RZ\n  axis XYZ\n  position 0 0 0\n  orientation 0 0 0\n:bonedata\n"
    bone = "  begin\n  id {0}\n  name b{0}\n  direction 1 0 0\n  length 1\n  axis 0 0 0 XYZ\n  end\n"
    bones = "".join(bone.format(i) for i in range(60_000))
    yield "asf_endless_bones.asf", head + bones
    short = "".join(f"begin\nname b{i}\nend\n" for i in range(99_000))
    yield "asf_short_bones.asf", head + short
    chain = "".join(f"b{i} b{i + 1}\n" for i in range(59_999))
    yield "asf_deep_hierarchy.asf", head + bones + ":hierarchy\nbegin\nroot b0\n" + chain + "end\n"


def noise():
    yield "zeros.c3d", bytes(5 * MEGABYTE)
    yield "one_line.csv", "a" * (5 * MEGABYTE)
    yield "angle_brackets.mvnx", "<mvnx>" + "<" * (5 * MEGABYTE)


def files():
    """Every hostile file as its name and bytes."""
    for make in (c3d, trc, csv, bvh, sto, mvnx, asf, noise):
        for name, content in make():
            yield name, content.encode() if isinstance(content, str) else content


def main():
    folder = Path(sys.argv[1])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, content in files():
        (folder / name).write_bytes(content)


if __name__ == "__main__":
    main()
