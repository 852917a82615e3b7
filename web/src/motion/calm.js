// Numbers that change with every frame cannot be read: while the motion plays they are told a few times a second.

const PAUSE = 120;   // ms

/** The same act, left out while it plays and was done just before. */
export function calm(session, act) {
  let last = -Infinity;
  return () => {
    const now = performance.now();
    if (session.get('playing') && now - last < PAUSE) return;
    last = now;
    act();
  };
}
