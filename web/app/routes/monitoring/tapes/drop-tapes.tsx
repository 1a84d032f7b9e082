import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Panel } from '../../../components/page/section.tsx';

/** Most people who open the list drop nothing on it. */
const PickFiles = lazy(() => import('./new/pick-files.tsx').then((module) => ({ default: module.PickFiles })));

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false;

/** Takes files that are dropped anywhere on the page, and leads to the review of what was found in them. */
export function DropTapes({ company }: { company: string | null }) {
  const [files, setFiles] = useState<readonly File[] | null>(null);
  const [isOver, setOver] = useState(false);
  /** Entering an element comes before leaving the one around it. */
  const depth = useRef(0);
  useEffect(() => {
    const enter = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      depth.current += 1;
      setOver(true);
    };
    const over = (event: DragEvent) => {
      if (hasFiles(event)) event.preventDefault();
    };
    const leave = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      depth.current = Math.max(0, depth.current - 1);
      if (depth.current === 0) setOver(false);
    };
    const drop = (event: DragEvent) => {
      if (!hasFiles(event) || event.defaultPrevented) return;
      event.preventDefault();
      depth.current = 0;
      setOver(false);
      setFiles([...(event.dataTransfer?.files ?? [])]);
    };
    const listeners = { dragenter: enter, dragover: over, dragleave: leave, drop } as const;
    for (const [name, listener] of Object.entries(listeners)) document.addEventListener(name as 'drop', listener);
    return () => {
      for (const [name, listener] of Object.entries(listeners)) document.removeEventListener(name as 'drop', listener);
    };
  }, []);
  return (
    <>
      {isOver ? (
        <div className="pointer-events-none fixed inset-3 z-50 flex items-center justify-center rounded-lg border-2 border-dashed border-accent bg-accent-soft/90 text-base font-semibold text-accent">
          Drop loan tapes to upload them
        </div>
      ) : null}
      {files ? (
        <Panel padded className="mb-[18px]">
          <Suspense>
            <PickFiles key={files.map(({ name }) => name).join()} company={company} lastResult={null} dropped={files} />
          </Suspense>
        </Panel>
      ) : null}
    </>
  );
}
