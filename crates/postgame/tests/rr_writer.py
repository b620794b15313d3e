"""Writes .rr files, from the description in docs/formats/rumble.md alone: nothing of Postgame is used.

    python3 rr_writer.py VERSION FILE

writes FILE, and on standard output one line of JSON for every position in it:
{"name", "time_s", "position", "rotation"} in the file's own space, the rotation as x, y, z, w.
"""

import json
import math
import struct
import sys

KINDS = ["Ball", "BoulderBall", "Cube", "Disc", "LargeRock", "Pillar", "Wall", "SmallRock"]
PARTS = ["head", "spine", "left hand", "right hand", "left foot", "right foot"]
NAMES = ["Ada", "Bo"]
FRAMES_PER_SECOND = 50

expected = []


def expect(name, frame, position, rotation):
    # The file has single precision.
    single = [struct.unpack("<f", struct.pack("<f", value))[0] for value in position]
    expected.append({"name": name, "time_s": frame / FRAMES_PER_SECOND, "position": single, "rotation": rotation})


def turned(angle):
    """About an axis that has all of x, y and z, so that no two can be exchanged."""
    x, y, z = 2 / 7, 3 / 7, 6 / 7
    s = math.sin(angle)
    return [x * s, y * s, z * s, math.cos(angle)]


def pose_2(position, rotation):
    x, y, z, w = rotation
    return struct.pack("<3f4f", *position, w, y, x, z)


def counter(frame):
    """Sixteen bits with a sign, starting close to where they wrap around."""
    value = (32760 + frame) & 0xFFFF
    return value - 0x10000 if value >= 0x8000 else value


def update_2(frame, kind, data):
    return struct.pack("<HhB", len(data), counter(frame), kind) + data


def version_2():
    out = b""
    for frame in range(0, 40):
        data = b""
        for kind, name in enumerate(KINDS):
            index = 200 + kind
            position = [kind + frame * 0.01, 1 + kind * 0.1, -2.5 * kind]
            rotation = turned(0.1 * kind + 0.01 * frame)
            if kind == 7 and frame >= 20:
                # Broken: the recorder puts it out of the way.
                data += struct.pack("<BB", kind, index) + pose_2([0, -300, 0], rotation)
                continue
            data += struct.pack("<BB", kind, index) + pose_2(position, rotation)
            expect(f"{name} {index}", frame, position, rotation)
        out += update_2(frame, 0, data)
        if frame % 4 == 0:
            data = b""
            for player, name in enumerate(NAMES):
                data += struct.pack("<B", player)
                for number, part in enumerate(PARTS):
                    position = [player + 0.1 * number, 1.7 - 0.2 * number, 0.01 * frame]
                    rotation = turned(0.2 * number - player)
                    data += pose_2(position, rotation)
                    expect(f"{name} {part}", frame, position, rotation)
            out += update_2(frame, 2, data)
    return out


def element(kind, data):
    return struct.pack("<BB", kind, len(data)) + data


def version_3(size_includes_count):
    out = b""
    for frame in range(0, 40):
        updates = []
        for index in range(3):
            position = [index + frame * 0.01, 1.5, -2.0 * index]
            rotation = turned(0.3 * index + 0.01 * frame)
            x, y, z, w = rotation
            updates.append((0, [
                element(3, bytes([index])),
                element(1, struct.pack("<3f", *position)),
                element(2, struct.pack("<4f", w, x, y, z)),
                element(5, struct.pack("<H", 1 << 2)),
            ]))
            expect(f"Structure {index}", frame, position, rotation)
        for player, name in enumerate(NAMES):
            position = [player, 1.7, 0.02 * frame]
            rotation = turned(0.5 * player)
            x, y, z, w = rotation
            updates.append((1, [
                element(1, struct.pack("<3f", *position)),
                element(2, struct.pack("<4f", w, x, y, z)),
                element(4, bytes([20 - player])),
            ]))
            expect(name, frame, position, rotation)
        out += struct.pack("<IB", 1000 + frame, len(updates))
        for kind, elements in updates:
            data = b"".join(elements)
            out += struct.pack("<BHB", kind, len(data) + size_includes_count, len(elements)) + data
    return out


def header():
    def person(name, points):
        # Names are stripped to ASCII; what else a player wears is not.
        return {"Name": name, "Battlepoints": points, "PlayfabID": "0", "Cosmetics": "Gürtel ✊"}

    text = json.dumps({
        "Version": "1.1.3",
        "LocalPlayer": person(NAMES[0], 1200),
        "RemotePlayer": person(NAMES[1], 900),
        "Scene": "Map1",
        "Date": "2025/10/05 18:30:00",
    }, ensure_ascii=False)
    # The length counts letters, the text is UTF-8.
    return struct.pack("<H", len(text)) + text.encode()


bodies = {"2": version_2, "3": lambda: version_3(0), "3c": lambda: version_3(1)}
with open(sys.argv[2], "wb") as file:
    file.write(b"RR" + header() + bodies[sys.argv[1]]())
for line in expected:
    print(json.dumps(line))
