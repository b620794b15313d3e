// The .glb files pass the Khronos validator, and their nodes are where the timeline says.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import validator from "gltf-validator";
import { AnimationMixer, Matrix4, Vector3 } from "three";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import { program, root, serve } from "./harness.mjs";

/** Key frames may be this far off, in metres, and times are floats. */
const TOLERANCE_M = 0.002;

function load(bytes) {
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  return new Promise((resolve, reject) => new GLTFLoader().parse(buffer, "", resolve, reject));
}

export const tests = {
  async "every sample's glb is valid, and its nodes move as the timeline does"() {
    const folder = mkdtempSync(join(tmpdir(), "postgame-"));
    const files = readdirSync(join(root, "samples")).filter((name) => !name.startsWith("."));
    assert(files.length >= 2);
    const server = await serve("samples");
    let rows = [];
    while (rows.length < files.length) ({ rows } = await (await fetch(`${server.address}api/recordings`)).json());
    for (const { id, file, error } of rows) {
      if (error) continue;
      const path = join(folder, `${id}.glb`);
      execFileSync(program, ["export", join("samples", file), "--to", "glb", "-o", path], { cwd: root });
      const bytes = readFileSync(path);
      const report = await validator.validateBytes(new Uint8Array(bytes), { maxIssues: 20 });
      assert.equal(report.issues.numErrors, 0, `${file}: ${JSON.stringify(report.issues.messages)}`);
      assert.equal(report.issues.numWarnings, 0, `${file}: ${JSON.stringify(report.issues.messages)}`);
      const gltf = await load(bytes);
      const outline = new DataView(await (await fetch(`${server.address}api/recordings/${id}/outline`)).arrayBuffer());
      const index = new Uint8Array(outline.buffer, 8, outline.getUint32(4, true));
      const { start_s, end_s, entities } = JSON.parse(new TextDecoder().decode(index));
      const known = namesOf(outline.buffer, Math.ceil((8 + index.length) / 8) * 8, entities.names);
      const moment = async (time_s) =>
        (await (await fetch(`${server.address}api/recordings/${id}/moment?time_s=${time_s}`)).json()).entities;
      const clip = gltf.animations[0];
      const duration_s = end_s - start_s;
      let compared = 0;
      if (clip) {
        assert.equal(gltf.animations.length, 1);
        assert(
          Math.abs(clip.duration - duration_s) < 1e-3,
          `${file}: the action is ${clip.duration} s, the recording ${duration_s} s`,
        );
        const mixer = new AnimationMixer(gltf.scene);
        mixer.clipAction(clip).play();
        // Between key frames: times in the file are single floats, so that a held value changes a little late.
        for (const part of [0.1103, 0.4303, 0.7703, 0.9603]) {
          const time_s = clip.duration * part;
          mixer.setTime(time_s);
          gltf.scene.updateMatrixWorld(true);
          compared += compare(gltf, await moment(start_s + time_s), known, `${file} at ${time_s}`);
        }
        assert(compared >= 8, `${file}: only ${compared} nodes were compared`);
      } else {
        gltf.scene.updateMatrixWorld(true);
        compared = compare(gltf, await moment(start_s), known, file);
        assert.equal(compared > 0, (gltf.parser.json.nodes?.length ?? 0) > 0, `${file}: nothing was compared`);
      }
      console.log(
        `    ${file}: ${bytes.length} bytes, ${gltf.parser.json.nodes?.length ?? 0} nodes, ${compared} positions compared`,
      );
    }
    server.stop();
  },
};

/** The names of all entities of a recording; other nodes are drawn beside them: floor, bodies of people. */
function namesOf(buffer, start, { ends, bytes }) {
  const all = new Uint8Array(buffer, start + bytes[0], bytes[1]);
  let from = 0;
  const names = Array.from(new Uint32Array(buffer, start + ends[0], ends[1]), (end) => {
    const name = new TextDecoder().decode(all.subarray(from, end));
    from = end;
    return name;
  });
  return new Set(names);
}

function compare(gltf, entities, known, where) {
  const nodes = new Map();
  (gltf.parser.json.nodes ?? []).forEach((node, index) => nodes.set(node.name, index));
  const objects = new Map();
  gltf.scene.traverse((object) => {
    const { nodes: index } = gltf.parser.associations.get(object) ?? {};
    if (index !== undefined) objects.set(index, object);
  });
  let compared = 0;
  const at = new Vector3();
  for (const { name, values } of entities) {
    const object = objects.get(nodes.get(name));
    if (!values.position || !object) continue;
    object.getWorldPosition(at);
    const far = at.distanceTo(new Vector3(...values.position));
    assert(far <= TOLERANCE_M, `${where}: ${name} is ${far} m off`);
    assert.equal(object.scale.x, values.active === false ? 0 : 1, `${where}: ${name} is there, or not`);
    if (values.rotation) {
      const [x, y, z, w] = values.rotation;
      const { x: a, y: b, z: c, w: d } = object.quaternion;
      assert(Math.abs(x * a + y * b + z * c + w * d) > 0.99999, `${where}: ${name} is turned`);
    }
    compared++;
  }
  compared += compareInstances(gltf, objects, nodes, entities, where);
  const there = new Set(entities.map(({ name }) => name));
  for (const [index, object] of objects) {
    const { name, mesh, extensions } = gltf.parser.json.nodes[index];
    if (mesh !== undefined && !extensions && known.has(name) && !there.has(name))
      assert.equal(object.scale.x, 0, `${where}: ${name} is absent`);
  }
  return compared;
}

/** Entities without a node of their own are instances of one: each is where it should be. */
function compareInstances(gltf, objects, nodes, entities, where) {
  const key = (x, y, z) => [x, y, z].map((part) => part.toFixed(2)).join(" ");
  const places = new Map();
  let count = 0;
  for (const [index, object] of objects) {
    if (!gltf.parser.json.nodes[index].extensions) continue;
    object.traverse((mesh) => {
      if (!mesh.isInstancedMesh) return;
      const [matrix, at] = [new Matrix4(), new Vector3()];
      for (let instance = 0; instance < mesh.count; instance++) {
        mesh.getMatrixAt(instance, matrix);
        at.setFromMatrixPosition(matrix);
        places.set(key(...at), (places.get(key(...at)) ?? 0) + 1);
        count++;
      }
    });
  }
  const instances = entities.filter(({ name, values }) => values.position && !nodes.has(name));
  assert.equal(count, instances.length, `${where}: the number of instances`);
  for (const { name, values } of instances)
    assert(places.has(key(...values.position.map(Math.fround))), `${where}: no instance where ${name} is`);
  return count;
}
