import { formatFigure } from '../../components/figures/format.ts';
import { Chip, type Tone } from '../../components/page/chip.tsx';

interface StateOfImport {
  readonly state: 'waiting' | 'running' | 'imported' | 'failed' | 'undone' | 'discarded';
  readonly doneCount: number;
  readonly totalCount: number;
}

const WORDS: Readonly<Record<StateOfImport['state'], [words: string, tone: Tone]>> = {
  waiting: ['Waiting', 'warning'],
  running: ['In progress', 'accent'],
  imported: ['Imported', 'good'],
  failed: ['Not imported', 'danger'],
  undone: ['Undone', 'neutral'],
  discarded: ['Discarded', 'neutral'],
};

/** The state of an import, with its progress while it runs. */
export function ImportStateChip({ record, dot = false }: { record: StateOfImport; dot?: boolean }) {
  const [words, tone] = WORDS[record.state];
  return (
    <span className="inline-flex items-center gap-2">
      <Chip tone={tone} dot={dot}>
        {words}
      </Chip>
      {record.state === 'running' && record.totalCount > 0 ? (
        <span className="figures text-xs text-ink-3">
          {formatFigure(Math.floor((100 * record.doneCount) / record.totalCount))}%
        </span>
      ) : null}
    </span>
  );
}
