import type { Page } from 'playwright-core';

/** Letters of adjacent lines touch by this much, in pixels, in the product's own type. */
const TOUCHING_PX = 3;

/**
 * Texts of the page that are drawn over each other, one line for each pair. Parts that stay in place while the page
 * scrolls, such as the top bar, and what is clipped or hidden are left out.
 */
export function overlappingTexts(page: Page): Promise<string[]> {
  return page.evaluate((touching) => {
    interface Box {
      readonly left: number;
      readonly top: number;
      readonly right: number;
      readonly bottom: number;
    }
    interface Text extends Box {
      readonly words: string;
      readonly owner: Element;
    }
    const everything: Box = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };
    const cut = (one: Box, other: Box): Box => ({
      left: Math.max(one.left, other.left),
      top: Math.max(one.top, other.top),
      right: Math.min(one.right, other.right),
      bottom: Math.min(one.bottom, other.bottom),
    });

    /** The part of the page in which the element's content is drawn. Null if it stays in place or is not drawn. */
    const clips = new Map<Element, Box | null>();
    const clipOf = (element: Element): Box | null => {
      const known = clips.get(element);
      if (known !== undefined) return known;
      const outer = element.parentElement ? clipOf(element.parentElement) : everything;
      const style = getComputedStyle(element);
      const stays = style.position === 'fixed' || style.position === 'sticky';
      const drawn = style.visibility === 'visible' && style.opacity !== '0' && style.display !== 'none';
      const clipped = style.overflowX !== 'visible' || style.overflowY !== 'visible';
      const clip =
        outer === null || stays || !drawn
          ? null
          : clipped && !(element instanceof SVGElement)
            ? cut(outer, element.getBoundingClientRect())
            : outer;
      clips.set(element, clip);
      return clip;
    };

    const texts: Text[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const owner = node.parentElement;
      const words = node.textContent?.trim();
      if (!owner || !words || !owner.checkVisibility()) continue;
      const clip = clipOf(owner);
      if (!clip) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const rectangle of range.getClientRects()) {
        const box = cut(clip, rectangle);
        if (box.right - box.left > touching && box.bottom - box.top > touching) texts.push({ ...box, words, owner });
      }
    }

    texts.sort((one, other) => one.top - other.top);
    const pairs = new Set<string>();
    for (const [index, one] of texts.entries()) {
      for (const other of texts.slice(index + 1)) {
        if (other.top >= one.bottom) break;
        const common = cut(one, other);
        const isOver = common.right - common.left > touching && common.bottom - common.top > touching;
        if (isOver && one.owner !== other.owner) pairs.add(`“${one.words}” and “${other.words}” overlap`);
      }
    }
    return [...pairs].slice(0, 5);
  }, TOUCHING_PX);
}
