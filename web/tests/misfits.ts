import type { Page } from 'playwright-core';

/** Parts of a pixel by which boxes differ without being cut. */
const TOLERANCE_PX = 1.5;

/** Tables fit screens of this width and more. On a narrower one, a table with many figures scrolls in its panel. */
const FITTING_PX = 1280;

/**
 * What does not fit into the page at its present width, one line each: sideways scroll of the page, and of a table where
 * tables fit; figures of which a part is cut off or covered by a column that stays in place; buttons
 * and fields that are beyond the edge of what shows them.
 */
export function misfits(page: Page): Promise<string[]> {
  return page.evaluate(
    ([tolerance, fittingPx]) => {
      const found = new Set<string>();
      const width = document.documentElement.clientWidth;
      const isPhone = width < 640;
      if (document.documentElement.scrollWidth > width) found.add('scrolls sideways');

      const wordsOf = (element: Element): string =>
        (element.getAttribute('aria-label') ?? element.textContent ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, 60);
      /** The nearest parts around an element that show only a part of what is in them. */
      const clipsOf = (element: Element): Element[] => {
        const clips: Element[] = [];
        for (let outer = element.parentElement; outer; outer = outer.parentElement) {
          const { overflowX, position } = getComputedStyle(outer);
          if (overflowX !== 'visible') clips.push(outer);
          if (position === 'fixed') break;
        }
        return clips;
      };
      const scrolls = (element: Element): boolean =>
        element.scrollWidth > element.clientWidth && /auto|scroll/.test(getComputedStyle(element).overflowX);
      const isHiddenForReaders = (element: Element): boolean => {
        const { width: wide, height } = element.getBoundingClientRect();
        return wide <= 1 || height <= 1;
      };

      for (const table of document.querySelectorAll('main table')) {
        const region = table.parentElement;
        // The rows of a person's file have as many columns as the file.
        if (region?.hasAttribute('data-file-columns')) continue;
        if (width >= fittingPx && region && region.scrollWidth > region.clientWidth + tolerance) {
          found.add(`the table "${wordsOf(table.querySelector('caption') ?? table)}" scrolls sideways`);
        }
      }

      const FIGURE = /^[−–-]?\(?[\d.,]*\d\)?\s*(%|x|bps|[KMB]|[A-Z]{3})?$/;
      const staying = [...document.querySelectorAll('main td, main th')].filter(
        (cell) => getComputedStyle(cell).position === 'sticky' && !cell.closest('[data-file-columns]'),
      );
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const owner = node.parentElement;
        const words = node.textContent?.trim() ?? '';
        if (!owner || !FIGURE.test(words) || owner instanceof SVGElement || !owner.checkVisibility()) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        const box = range.getBoundingClientRect();
        const clips = [owner, ...clipsOf(owner)].filter((clip) => getComputedStyle(clip).overflowX !== 'visible');
        if (box.width === 0 || clips.some(isHiddenForReaders)) continue;
        for (const clip of clips) {
          // What is out of view in a part that scrolls is reached by scrolling.
          if (scrolls(clip)) break;
          const { left, right } = clip.getBoundingClientRect();
          if (box.left < left - tolerance || box.right > right + tolerance) found.add(`the figure ${words} is cut off`);
        }
        for (const cell of staying) {
          if (cell.contains(owner) || isPhone) continue;
          const over = cell.getBoundingClientRect();
          if (over.bottom <= box.top || over.top >= box.bottom) continue;
          if (over.right > box.left + tolerance && over.left < box.right - tolerance) {
            found.add(`the figure ${words} is covered by "${wordsOf(cell)}"`);
          }
        }
      }

      for (const control of document.querySelectorAll('main button, main input, main select, main summary')) {
        if (!control.checkVisibility({ visibilityProperty: true }) || isHiddenForReaders(control)) continue;
        const clips = clipsOf(control);
        if (clips.some(isHiddenForReaders)) continue;
        const box = control.getBoundingClientRect();
        for (const edge of [...clips, document.documentElement]) {
          // A grid scrolls as it should.
          if (edge.closest('.data-grid')) break;
          const { left, right } = edge.getBoundingClientRect();
          const isBeyond = scrolls(edge)
            ? !isPhone && (box.left >= right || box.right <= left)
            : box.left < left - tolerance || box.right > right + tolerance;
          if (isBeyond) found.add(`the action "${wordsOf(control)}" is beyond the edge`);
          if (scrolls(edge)) break;
        }
      }
      return [...found];
    },
    [TOLERANCE_PX, FITTING_PX] as const,
  );
}
