// What a reader of the screen is told when something changes that is not in focus.

import { h } from '../base/dom.js';

export const notice = h('div', { class: 'unseen', role: 'status', 'aria-live': 'polite' });

let waiting = null;

/** Says a sentence, after the changes of the next moment. */
export function say(text) {
  clearTimeout(waiting);
  waiting = setTimeout(() => { notice.textContent = text; }, 150);
}
