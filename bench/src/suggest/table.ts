import { scoreTape } from '@tapeline/domain/tapes/suggest/testing/corpus-score.ts';
import type { CorpusTape } from '@tapeline/domain/tapes/suggest/testing/corpus-tape.ts';

const TAPES = 30;

const cell = (text: string): string => text.replaceAll('|', '\\|');

/** What is proposed for tapes of different origin, as a Markdown table with a row for each tape. */
export function tableOf(tapes: readonly CorpusTape[]): string {
  // Tapes of one kind are neighbours.
  const step = Math.max(1, Math.floor(tapes.length / TAPES));
  const rows = tapes
    .filter((_, index) => index % step === 0)
    .slice(0, TAPES)
    .map((tape) => {
      const { suggestions, missed } = scoreTape(tape);
      const words = suggestions
        .toSorted((a, b) => b.confidence - a.confidence)
        .map(({ header, path, confidence, isOn, isRight }) => {
          const notes = [`${Math.round(confidence * 100)} %`, ...(isOn ? [] : ['off']), ...(isRight ? [] : ['wrong'])];
          return `${header} → ${path} (${notes.join(', ')})`;
        });
      const left = missed.map((each) => each.slice(tape.name.length + 2));
      return [tape.name, tape.origin, String(tape.columns.length), words.join('; '), left.join('; ') || 'none'];
    });
  const head = ['Tape', 'Source of the headers', 'Columns', 'Proposed', 'Missing'];
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');
}
