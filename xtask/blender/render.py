"""Renders one moment of a .glb with Blender, to look at: not part of the tests.

    cargo xtask picture samples/bout-2026.replay --at 2.4

does all of it. By hand, with a Python for which Blender's module exists (pip install -r requirements.txt):

    postgame export samples/bout-2026.replay --to glb -o bout.glb
    python3 xtask/blender/render.py bout.glb bout.png 2.4

The third argument is the moment in seconds from the start of the file. The file's own camera is used; the light is ours.
"""

import math
import sys

import bpy

WIDTH, HEIGHT = 1280, 720
SAMPLES = 24

source, picture, time_s = sys.argv[1], sys.argv[2], float(sys.argv[3])

bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.gltf(filepath=source)
scene = bpy.context.scene
scene.frame_set(int(time_s * scene.render.fps), subframe=time_s * scene.render.fps % 1)

cameras = [item for item in scene.objects if item.type == "CAMERA"]
assert cameras, "the file has no camera"
scene.camera = cameras[0]


def add_sun(strength, elevation, azimuth, softness):
    sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
    sun.data.energy = strength
    sun.data.angle = math.radians(softness)
    sun.rotation_euler = (math.radians(90 - elevation), 0, math.radians(azimuth))
    scene.collection.objects.link(sun)


# Azimuths are relative to the camera: the main light comes over its left shoulder, a weaker one from the other side.
facing = math.degrees(scene.camera.matrix_world.to_euler("XYZ").z)
add_sun(4.0, 50, facing - 40, 3)
add_sun(1.0, 25, facing + 70, 20)
world = bpy.data.worlds.new("world")
scene.world = world
background = world.node_tree and world.node_tree.nodes.get("Background")
if background is None:
    world.use_nodes = True
    background = world.node_tree.nodes["Background"]
background.inputs[0].default_value = (0.62, 0.74, 0.9, 1)
background.inputs[1].default_value = 0.7

scene.render.engine = "CYCLES"
scene.cycles.device = "CPU"
scene.cycles.samples = SAMPLES
scene.cycles.use_denoising = True
scene.view_settings.view_transform = "Standard"
scene.render.resolution_x, scene.render.resolution_y = WIDTH, HEIGHT
scene.render.filepath = picture
scene.render.image_settings.file_format = "PNG"
bpy.ops.render.render(write_still=True)
