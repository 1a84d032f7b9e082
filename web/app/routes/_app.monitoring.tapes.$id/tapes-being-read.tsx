import { useLocation } from '@remix-run/react';
import { ProgressSteps } from '../../components/page/progress-steps.tsx';
import type { TapesRead } from '../../tapes/work-in-hand.server.ts';

/** Figures over several tapes that are being worked out: how many tapes are read, and which one is at hand. */
export function TapesBeingRead({ read, label, part }: { read: TapesRead; label: string; part: 'tape' | 'step' }) {
  const { pathname, search } = useLocation();
  const current = Math.min(read.done + 1, read.of);
  const note = part === 'tape' ? `Tape ${current} of ${read.of}` : `Step ${current} of ${read.of}, from tape to tape`;
  return (
    <>
      <ProgressSteps
        label={label}
        steps={[{ label, state: 'running', note, fraction: read.of > 1 ? read.done / read.of : null }]}
      />
      <noscript>
        <meta httpEquiv="refresh" content="3" />
        <p className="mb-6 text-sm text-ink-2">
          This page looks again every three seconds.{' '}
          <a href={pathname + search} className="text-accent underline">
            Look now
          </a>
          .
        </p>
      </noscript>
    </>
  );
}
