// Plays the motion: time goes on by real time times a speed; a path and a mode go on at their own pace.

const PATH_SECONDS = 8, SWING_SECONDS = 1.6, LONGEST = 1;

export class Player {
  constructor(session) {
    this.session = session;
    this.before = null;
    session.store.on(['playing', 'mode', 'virtual'], () => this.#begin());
    session.store.on(['playing'], () => session.get('playing') || session.store.set({ place: session.sample }));   // at rest it is a sample that is shown
  }

  /** A speed at which the whole motion takes a few seconds. */
  static speedFor(result) {
    const { axis } = result.series, whole = axis.length ? axis[axis.length - 1] - axis[0] : 0;
    if (!(whole > 0) || !result.rising || result.followed) return 1;
    return SPEEDS.reduce((best, speed) => (Math.abs(Math.log(whole / speed / 5)) < Math.abs(Math.log(whole / best / 5)) ? speed : best), 1);
  }

  toggle() {
    const { session } = this, last = session.first.samples - 1;
    const playing = !session.get('playing');
    if (playing && !session.get('loop') && session.get('place') >= last) session.store.set({ place: 0 });
    session.store.set({ playing });
  }

  /** Goes on by samples and stops there. */
  step(samples) {
    const last = Math.max(this.session.first.samples - 1, 0);
    this.session.store.set({ playing: false, mode: -1, virtual: -1, place: Math.max(0, Math.min(last, this.session.sample + samples)) });
  }

  go(place) {
    this.session.store.set({ playing: false, mode: -1, virtual: -1, place: Math.max(0, Math.min(Math.max(this.session.first.samples - 1, 0), place)) });
  }

  #begin() {
    if (!this.session.get('playing') || this.running) return;
    this.running = true;
    this.before = null;
    requestAnimationFrame((now) => this.#tick(now));
  }

  #tick(now) {
    const { session } = this;
    if (!session.get('playing')) {
      this.running = false;
      return;
    }
    const seconds = this.before === null ? 0 : Math.min((now - this.before) / 1000, LONGEST);
    this.before = now;
    session.inFrame = true;   // pictures and numbers of this frame are drawn in it
    if (session.swings) session.store.set({ phase: session.get('phase') + (2 * Math.PI * seconds) / SWING_SECONDS });
    else this.#forward(seconds);
    session.inFrame = false;
    requestAnimationFrame((next) => this.#tick(next));
  }

  #forward(seconds) {
    const { session } = this, { first } = session, last = first.samples - 1;
    if (last < 1) return session.store.set({ playing: false });
    const { axis } = first.series, timed = first.rising && !first.followed && first.axisName === 'time';
    let place = timed ? first.place(session.axisAt(session.get('place')) + seconds * session.get('speed'))
      : session.get('place') + (seconds * last) / PATH_SECONDS;
    if (place >= last || (timed && session.axisAt(session.get('place')) + seconds * session.get('speed') >= axis[last])) {
      if (session.get('place') >= last && session.get('loop')) place = 0;
      else if (session.get('loop')) place = last;
      else return session.store.set({ place: last, playing: false });
    }
    session.store.set({ place });
  }
}

export const SPEEDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 1000];
