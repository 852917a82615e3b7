// A machine that is wrong: what was said, on top.

import { h } from '../base/dom.js';

export function failure({ session }) {
  const { failure: wrong, things } = session.first.scene;
  if (!wrong) return null;
  const { loop = [], gaps = [] } = wrong;
  const link = (of) => h('button', { class: 'link', onclick: () => session.choose(of) }, things[of]?.name ?? '?');
  return h('section', { class: 'failure', role: 'alert' }, h('h2', {}, 'This machine does not work as it is'), h('p', {}, wrong.text),
    gaps.length > 0 && h('ul', {}, gaps.map(({ of, length, angle }) => h('li', {}, link(of), ' leaves a gap of ',
      [length > 0 && `${session.number(length, 'm')} m`, angle > 0 && `${session.number(angle, 'rad')} rad`].filter(Boolean).join(' and ') || 'nothing'))),
    loop.length > 0 && h('p', {}, 'The loop that does not close: ', loop.map((of, k) => [k > 0 && ' – ', link(of)])));
}
