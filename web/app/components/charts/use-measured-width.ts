import { type RefObject, useEffect, useRef, useState } from 'react';

/**
 * The width of a chart's box. The server draws at `initial`. With JavaScript the drawing follows the box, so that the
 * text keeps its size.
 * @returns a ref for the box, and the width in px
 */
export function useMeasuredWidth(initial: number): [RefObject<HTMLDivElement>, number] {
  const box = useRef<HTMLDivElement>(null);
  const [widthPx, setWidthPx] = useState(initial);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => {
      const measured = Math.round(entry?.contentRect.width ?? 0);
      if (measured > 0) setWidthPx(Math.max(measured, 280));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [box, widthPx];
}
