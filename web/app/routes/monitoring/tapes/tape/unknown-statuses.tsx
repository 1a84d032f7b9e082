import { choicesOf } from '@tapeline/domain/documents/labels.ts';
import { ASSET_STATUS_LABELS } from '@tapeline/domain/tapes/statuses.ts';
import { formatCount } from '../../../../components/figures/format.ts';
import { Button } from '../../../../components/forms/button.tsx';
import { CsrfField } from '../../../../components/forms/csrf-field.tsx';
import { Select } from '../../../../components/forms/fields.tsx';
import { PostForm } from '../../../../components/forms/post-form.tsx';
import { Panel } from '../../../../components/page/section.tsx';
import type { ErroredView } from '../tape-head.ts';

/** Words of the sheet that have no status, each with its likely meaning. They can be added to the mapping directly. */
export function UnknownStatuses({ statuses }: { statuses: NonNullable<ErroredView['statuses']> }) {
  const { words, nextVersion, mayAdd } = statuses;
  const rows = words.reduce((sum, word) => sum + word.rows, 0);
  return (
    <Panel padded className="mb-[18px]">
      <h2 className="text-sm font-semibold">Statuses the mapping does not recognize</h2>
      <p className="mt-1 text-sm text-ink-2">
        <span className="figures">{formatCount(rows, 'row')}</span> could not be processed because of{' '}
        {words.length === 1 ? 'it' : 'them'}.{' '}
        {mayAdd
          ? `Choose what ${words.length === 1 ? 'it means' : 'they mean'} to update the mapping for the next tape. The rows below still need correction.`
          : 'A user who can edit the mapping can add them.'}
      </p>
      <PostForm preventScrollReset className="mt-3">
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
                    <Select
                      name={`words[${index}].means`}
                      aria-label={`Meaning of “${word}”`}
                      defaultValue={means ?? ''}
                      choices={choicesOf(ASSET_STATUS_LABELS)}
                      empty="Keep as error"
                    />
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
      </PostForm>
    </Panel>
  );
}
