import { latestRowsInWords } from '@tapeline/domain/tapes/latest-rows/in-words.ts';
import { Button } from '../../../../components/forms/button.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { OTHER_INTENT } from '../../../../http/list-edits.ts';
import type { KeptLatest } from './kept-latest.ts';
import type { ProposedRules } from './proposed-rules.ts';

/** Offers to use the latest row of each loan of a file that has a row for each loan and month. */
export function LatestOffer({
  latest: { counts, ...columns },
  action,
}: {
  latest: NonNullable<ProposedRules['latest']>;
  /** The address of the page, with the file that it is about. */
  action: string;
}) {
  const [remaining, ...others] = counts ? latestRowsInWords(columns, counts) : [];
  return (
    <div className="rounded-md border border-line p-3 text-sm">
      <p>{remaining ?? `The latest row of each “${columns.idColumn}” remains, by “${columns.monthColumn}”.`}</p>
      {others.length > 0 ? (
        <ul className="mt-1 list-disc pl-5 text-ink-2">
          {others.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      ) : null}
      <div className="mt-2.5 flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <Button type="submit" name={OTHER_INTENT} value="latestRows" formAction={action} formNoValidate>
          Use the latest row of each loan
        </Button>
        <p className="text-xs text-ink-3">
          Rows later than the cut-off date are left out. If the date is blank, the latest month fills it in.
        </p>
      </div>
    </div>
  );
}

/** What a file with the latest rows has and lacks of the file that they are from. */
export function LatestNotice({ latest }: { latest: KeptLatest }) {
  const sentences = [...latestRowsInWords(latest, latest.counts), ...latest.notices];
  return (
    <Notice tone={sentences.length > 1 ? 'warning' : 'good'}>
      {sentences.join(' ')} {latest.source.name} stays with the tape as a document.
    </Notice>
  );
}
