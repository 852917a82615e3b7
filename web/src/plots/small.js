// The plot in the panel of what is chosen.

import { h } from '../base/dom.js';
import { CurvePlot } from './curves.js';

export function smallPlot({ session }, names) {
  const host = h('div', { class: 'plot small' }), shown = names.slice(0, 7);
  let plot = null;
  const key = h('div', { class: 'keyline' });
  return {
    element: h('div', {}, host, key),
    start() {
      plot = new CurvePlot(session, host, shown, { height: 150 });
      const seen = new Set();
      plot.curves.forEach(({ name }, k) => {
        if (seen.has(name)) return;
        seen.add(name);
        key.append(h('span', {}, h('i', { style: `background:${plot.inks[k]}` }), name.slice(name.lastIndexOf('.') + 1)));
      });
      const watch = new ResizeObserver(() => (host.isConnected ? plot.resize() : watch.disconnect()));
      watch.observe(host);
    },
    tell: () => plot?.tell(),
  };
}
