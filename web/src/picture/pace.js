// How many pixels a machine can draw: fewer while the motion plays, where frames come too slowly.

const SLOW = 30, LEAST = 0.5, STEP = 0.8, PATIENCE = 5;   // milliseconds a frame; pixels of one; frames until it is judged again

export class Pace {
  constructor(full) {
    this.full = full;
    this.playing = full;
  }

  /** Pixels to draw for a pixel of the page. */
  ratio(playing) {
    if (!playing) {
      this.before = null;
      return this.full;
    }
    const now = performance.now();
    if (this.before === null || this.before === undefined) [this.before, this.frames, this.since] = [now, 0, now];
    else if (++this.frames >= PATIENCE) {
      if ((now - this.since) / this.frames > SLOW) this.playing = Math.max(LEAST, this.playing * STEP);
      [this.frames, this.since] = [0, now];
    }
    return this.playing;
  }
}

/** Is there no graphics processor? Then smooth edges cost too much. */
export function drawnBySoftware() {
  const gl = document.createElement('canvas').getContext('webgl2');
  if (!gl) return true;
  const about = gl.getExtension('WEBGL_debug_renderer_info'), name = about ? gl.getParameter(about.UNMASKED_RENDERER_WEBGL) : '';
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}
