import type { ReactNode } from 'react';
import { type ProgressStep, ProgressSteps } from '../../components/page/progress-steps.tsx';

/** The steps of an import: its file, its columns (or the owners of PDFs), the check, and the import. */
export function ImportSteps({
  at,
  file,
  second,
  check = 'dry run, nothing is stored',
  progress = { state: 'running', fraction: 0.5 },
}: {
  at: 'file' | 'second' | 'check';
  file: ReactNode;
  second: { label: string; note: ReactNode };
  check?: ReactNode;
  /** How far the current step is, if that is known. */
  progress?: Pick<ProgressStep, 'state' | 'fraction'>;
}) {
  const order = ['file', 'second', 'check'] as const;
  const stateOf = (step: (typeof order)[number]): Pick<ProgressStep, 'state' | 'fraction'> => {
    const distance = order.indexOf(step) - order.indexOf(at);
    return distance < 0 ? { state: 'done' } : distance === 0 ? progress : { state: 'waiting' };
  };
  return (
    <ProgressSteps
      label="Steps"
      steps={[
        { label: 'File', note: file, ...stateOf('file') },
        { label: second.label, note: second.note, ...stateOf('second') },
        { label: 'Check', note: check, ...stateOf('check') },
        { label: 'Import', state: 'waiting', note: 'all rows or none' },
      ]}
    />
  );
}
