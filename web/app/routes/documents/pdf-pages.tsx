import { useEffect, useRef, useState } from 'react';

/** The first pages are shown; the others are in the download. */
const MAX_PAGES = 20;
const SHARPNESS = 2;

interface ShownPage {
  readonly number: number;
  readonly width: number;
  readonly height: number;
  /** For screen readers and search in the page. */
  readonly text: string;
  draw(canvas: HTMLCanvasElement): Promise<void>;
}

type Shown = { readonly pages: readonly ShownPage[]; readonly total: number } | 'failed' | null;

/** Draws a PDF file. Its pages become pictures: scripts, forms and links in the file do nothing. */
async function read(address: string, signal: AbortSignal): Promise<Exclude<Shown, null>> {
  const answer = await fetch(address, { signal });
  if (!answer.ok) return 'failed';
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const { getDocumentProxy } = await import('unpdf');
  const document = await getDocumentProxy(bytes);
  const pages: ShownPage[] = [];
  for (let number = 1; number <= Math.min(document.numPages, MAX_PAGES); number += 1) {
    const page = await document.getPage(number);
    const { width, height } = page.getViewport({ scale: 1 });
    const content = await page.getTextContent();
    pages.push({
      number,
      width,
      height,
      text: content.items.map((item) => ('str' in item ? item.str : '')).join(' '),
      async draw(canvas) {
        const viewport = page.getViewport({ scale: SHARPNESS });
        canvas.width = viewport.width;
        canvas.height = viewport.height;
        const canvasContext = canvas.getContext('2d');
        if (canvasContext) await page.render({ canvas, canvasContext, viewport }).promise;
      },
    });
  }
  return { pages, total: document.numPages };
}

function Page({ page }: { page: ShownPage }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (canvas.current) page.draw(canvas.current).catch(() => undefined);
  }, [page]);
  return (
    <figure className="mx-auto mb-3 max-w-[820px] overflow-hidden rounded-md border border-line bg-paper">
      <canvas
        ref={canvas}
        role="img"
        aria-label={`Page ${page.number}`}
        className="block w-full"
        style={{ aspectRatio: `${page.width} / ${page.height}` }}
      />
      <figcaption className="sr-only">{page.text}</figcaption>
    </figure>
  );
}

/** The pages of a PDF file. */
export function PdfPages({ address }: { address: string }) {
  const [shown, setShown] = useState<Shown>(null);
  useEffect(() => {
    const gone = new AbortController();
    read(address, gone.signal)
      .catch(() => 'failed' as const)
      .then((result) => gone.signal.aborted || setShown(result));
    return () => gone.abort();
  }, [address]);
  if (shown === 'failed') return <p className="p-4 text-sm text-danger">This file cannot be shown. Download it.</p>;
  if (shown === null) {
    return (
      <p role="status" className="grid h-80 place-items-center text-sm text-ink-3">
        Reading the file
      </p>
    );
  }
  return (
    <div className="p-3">
      {shown.pages.map((page) => (
        <Page key={page.number} page={page} />
      ))}
      {shown.total > shown.pages.length ? (
        <p className="text-center text-xs text-ink-3">
          The first {shown.pages.length} of {shown.total} pages. Download the file to see all.
        </p>
      ) : null}
    </div>
  );
}
