import { Form } from '@remix-run/react';
import { ASSET_STATUS_LABELS, ASSET_STATUSES } from '@tapeline/domain/tapes/statuses.ts';
import { Button } from '../../components/forms/button.tsx';
import { CsrfField } from '../../components/forms/csrf-field.tsx';
import { inputClass } from '../../components/forms/fields.tsx';
import { Panel } from '../../components/page/section.tsx';
import { formatCount } from '../../figures/format.ts';
import type { ErroredView } from '../../tapes/tape-head.ts';

/** Words of the sheet that became no status, each with what it seems to mean, to be added to the mapping at once. */
export function UnknownStatuses({ statuses }: { statuses: NonNullable<ErroredView['statuses']> }) {
  const { words, nextVersion, mayAdd } = statuses;
  const rows = words.reduce((sum, word) => sum + word.rows, 0);
  return (
    <Panel padded className="mb-[18px]">
      <h2 className="text-sm font-semibold">Statuses that no step of the mapping knows</h2>
      <p className="mt-1 text-sm text-ink-2">
        <span className="figures">{formatCount(rows, 'row')}</span> could not become{' '}
        {rows === 1 ? 'an asset' : 'assets'} because of {words.length === 1 ? 'it' : 'them'}.{' '}
        {mayAdd
          ? `Say what ${words.length === 1 ? 'it means' : 'they mean'}, and the next tape is read so; the rows here stay to be corrected.`
          : 'Whoever keeps the mapping can add them.'}
      </p>
      <Form method="post" preventScrollReset className="mt-3">
        <CsrfField />
        <ul className="grid gap-x-6 gap-y-2 lg:grid-cols-2">
          {words.map(({ word, rows: count, means }, index) => (
            <li key={word} className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
              <span className="min-w-40 flex-1 break-words">
                “{word}” <span className="figures text-ink-3">{formatCount(count, 'row')}</span>
              </span>
              {mayAdd ? (
                <>
                  <input type="hidden" name={`words[${index}].word`} value={word} />
                  <div className="w-52 max-w-full">
                    <select
                      name={`words[${index}].means`}
                      aria-label={`What “${word}” means`}
                      defaultValue={means ?? ''}
                      className={inputClass()}
                    >
                      <option value="">Leave it an error</option>
                      {ASSET_STATUSES.map((status) => (
                        <option key={status} value={status}>
                          {ASSET_STATUS_LABELS[status]}
                        </option>
                      ))}
                    </select>
                  </div>
                </>
              ) : null}
            </li>
          ))}
        </ul>
        {mayAdd ? (
          <Button type="submit" name="intent" value="addStatuses" className="mt-3">
            Add to the mapping as version {nextVersion}
          </Button>
        ) : null}
      </Form>
    </Panel>
  );
}
