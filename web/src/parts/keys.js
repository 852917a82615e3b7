// Keys that work everywhere but in fields that take them.

const SIDES = ['corner', 'front', 'right', 'top'];

const takesKeys = (element) => element.matches?.('input:not([type=checkbox]), select, textarea, dialog *');

export function keys({ session, player, picture }) {
  const { store } = session, flip = (name) => store.set({ [name]: !store.get(name) });
  const actions = { ' ': () => player.toggle(), ',': () => player.step(-1), '.': () => player.step(1), ArrowLeft: () => player.step(-1), ArrowRight: () => player.step(1),
    Home: () => player.go(0), End: () => player.go(Infinity), f: () => picture.view.fit(), r: () => flip('forces'), n: () => flip('names'), v: () => flip('values'),
    Escape: () => session.choose(-1) };
  SIDES.forEach((side, k) => { actions[k + 1] = () => picture.view.view?.(side); });
  document.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented || takesKeys(event.target)) return;
    if (event.key === ' ' && event.target.matches?.('button, input, summary, a, [role=option]')) return;
    const act = actions[event.key];
    if (!act) return;
    act();
    event.preventDefault();
  });
}
