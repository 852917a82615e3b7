// Drawing of merged solids: a texture holds two rows of every body's pose, place and quaternion.
// What is selected is told by numbers at the corners, so that no geometry is made again.

import { ShaderMaterial, Color, DoubleSide, Vector3 } from 'three';

const MOVE = `
uniform sampler2D poses;
uniform vec2 chosen;
attribute vec3 tag;   // body that it moves with, thing, body that it is
varying float marked;
vec3 turned(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
vec3 moved(vec3 point, out vec4 q) {
  int row = int(tag.x + 0.5);
  q = texelFetch(poses, ivec2(1, row), 0);
  marked = (chosen.x >= 0.0 && abs(tag.y - chosen.x) < 0.5) || (chosen.y >= 0.0 && abs(tag.z - chosen.y) < 0.5) ? 1.0 : 0.0;
  return turned(q, point) + texelFetch(poses, ivec2(0, row), 0).xyz;
}
`;

const SOLID = MOVE + `
attribute vec3 colour;
varying vec3 shade, facing;
void main() {
  vec4 q;
  vec3 place = moved(position, q);
  facing = normalize(mat3(viewMatrix) * turned(q, normal));
  shade = colour;
  gl_Position = projectionMatrix * viewMatrix * vec4(place, 1.0);
}`;

const LIT = `
uniform vec3 accent;
uniform float opacity;
varying vec3 shade, facing;
varying float marked;
void main() {
  vec3 n = normalize(facing);
  if (!gl_FrontFacing) n = -n;
  float light = 0.66 + 0.34 * max(dot(n, normalize(vec3(0.35, 0.6, 0.72))), 0.0) + 0.14 * max(n.z, 0.0);
  vec3 base = mix(shade, accent, 0.62 * marked);
  gl_FragColor = vec4(base * light, opacity);
}`;

const EDGE = MOVE + `
uniform float lift;
varying float along;
attribute float distance;
void main() {
  vec4 q;
  vec3 place = moved(position, q);
  along = distance;
  gl_Position = projectionMatrix * viewMatrix * vec4(place, 1.0);
  gl_Position.z -= lift * gl_Position.w;
}`;

const INK = `
uniform vec3 ink, accent;
uniform float opacity, dash;
varying float marked, along;
void main() {
  if (dash > 0.0 && fract(along / dash) > 0.55) discard;
  gl_FragColor = vec4(mix(ink, accent, marked), opacity);
}`;

const shared = (poses) => ({ poses: { value: poses }, chosen: { value: new Vector3(-1, -1, 0) }, accent: { value: new Color() }, opacity: { value: 1 } });

export function solidMaterial(poses) {
  return new ShaderMaterial({ uniforms: shared(poses), vertexShader: SOLID, fragmentShader: LIT, side: DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
}

export function edgeMaterial(poses) {
  const uniforms = { ...shared(poses), ink: { value: new Color() }, dash: { value: 0 }, lift: { value: 1e-4 } };
  return new ShaderMaterial({ uniforms, vertexShader: EDGE, fragmentShader: INK, transparent: true });
}
