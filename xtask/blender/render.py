"""Renders one moment of a .glb with Blender, to look at: not part of the tests.

    pip install bpy        (Blender as a Python module, some hundred megabytes; needs the Python it was built for)
    postgame export samples/bout-2026.replay --to glb -o bout.glb
    python3 xtask/blender/render.py bout.glb bout.png 12.3

The third argument is the moment in seconds. The file's own camera is used; the light is ours.
"""

import math
import sys

import bpy

source, picture, time_s = sys.argv[1], sys.argv[2], float(sys.argv[3])

bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.gltf(filepath=source)
scene = bpy.context.scene
scene.frame_set(int(time_s * scene.render.fps), subframe=time_s * scene.render.fps % 1)

cameras = [item for item in scene.objects if item.type == "CAMERA"]
assert cameras, "the file has no camera"
scene.camera = cameras[0]

sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
sun.data.energy = 4
sun.rotation_euler = (math.radians(40), math.radians(15), math.radians(30))
scene.collection.objects.link(sun)
world = bpy.data.worlds.new("world")
world.use_nodes = True
world.node_tree.nodes["Background"].inputs[0].default_value = (0.55, 0.65, 0.8, 1)
world.node_tree.nodes["Background"].inputs[1].default_value = 0.6
scene.world = world

scene.render.engine = "CYCLES"
scene.cycles.device = "CPU"
scene.cycles.samples = 16
scene.cycles.use_denoising = False
scene.render.resolution_x, scene.render.resolution_y = 960, 540
scene.render.filepath = picture
scene.render.image_settings.file_format = "PNG"
bpy.ops.render.render(write_still=True)
