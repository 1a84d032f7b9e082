import { useLocation } from '@remix-run/react';
import type { TapesRead } from '../../../../commands/work-in-progress.server.ts';
import { ProgressSteps } from '../../../../components/page/progress-steps.tsx';

/** Progress of figures that are calculated over several tapes: how many tapes are read, and which one is being read. */
export function TapesBeingRead({ read, label, part }: { read: TapesRead; label: string; part: 'tape' | 'step' }) {
  const { pathname, search } = useLocation();
  const current = Math.min(read.done + 1, read.of);
  const note = part === 'tape' ? `Tape ${current} of ${read.of}` : `Tape comparison ${current} of ${read.of}`;
  return (
    <>
      <ProgressSteps
        label={label}
        steps={[{ label, state: 'running', note, fraction: read.of > 1 ? read.done / read.of : null }]}
      />
      <noscript>
        <meta httpEquiv="refresh" content="3" />
        <p className="mb-6 text-sm text-ink-2">
          This page refreshes every 3 seconds.{' '}
          <a href={pathname + search} className="text-accent underline">
            Refresh now
          </a>
          .
        </p>
      </noscript>
    </>
  );
}
