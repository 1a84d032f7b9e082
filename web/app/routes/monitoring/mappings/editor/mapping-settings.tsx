import { Button } from '../../../../components/forms/button.tsx';
import { FoundCounts, isSearched, SearchBox } from '../../../../components/forms/choice-search.tsx';
import { CURRENCY_CHOICES } from '../../../../components/forms/currency-choices.ts';
import { inputClass, Select } from '../../../../components/forms/fields.tsx';
import type { DraftProblem, MappingDraft } from '../draft.ts';
import { tryValue } from '../draft-preview.ts';
import type { EditorProps } from './mapping-form.ts';
import { Wrong } from './problem-list.tsx';
import { Labelled } from './step-fields-form.tsx';

const TAPES = ['tape', 'tapes'] as const;

export function Settings({
  draft,
  tapes,
  preview,
  problems,
  canEdit,
}: Pick<EditorProps, 'tapes' | 'preview' | 'canEdit'> & {
  draft: MappingDraft;
  problems: readonly DraftProblem[];
}) {
  const sheets = [...new Set([...(preview?.sheets ?? []), draft.loanTapeSheetName])].filter(Boolean);
  const files = tapes?.files ?? [];
  const current = preview ? tryValue(preview.file) : '';
  const choices =
    preview && !files.some(({ value }) => value === current)
      ? [{ value: current, label: preview.file.name }, ...files]
      : files;
  const problemOf = (field: string) => problems.find(({ path }) => path[0] === field)?.message;
  const whole = problems.filter(({ path }) => path[0] === 'rules');
  return (
    <div className="mb-6">
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <Labelled id="loanTapeSheetName" label="Sheet" hint={<Wrong text={problemOf('loanTapeSheetName')} />}>
          <input
            id="loanTapeSheetName"
            name="loanTapeSheetName"
            defaultValue={draft.loanTapeSheetName}
            list="mapping-sheets"
            readOnly={!canEdit}
            className={inputClass()}
          />
          <datalist id="mapping-sheets">
            {sheets.map((sheet) => (
              <option key={sheet} value={sheet} />
            ))}
          </datalist>
        </Labelled>
        <Labelled id="primaryCurrency" label="Default currency">
          <Select
            id="primaryCurrency"
            name="primaryCurrency"
            defaultValue={draft.primaryCurrency}
            disabled={!canEdit}
            choices={CURRENCY_CHOICES}
            empty={draft.primaryCurrency === '' ? 'Choose a currency' : undefined}
          />
        </Labelled>
        <Labelled id="cutOffDate" label="Cut-off date" optional hint={<Wrong text={problemOf('cutOffDate')} />}>
          <input
            id="cutOffDate"
            name="cutOffDate"
            type="date"
            defaultValue={draft.cutOffDate}
            readOnly={!canEdit}
            className={inputClass()}
          />
        </Labelled>
        <div className={canEdit ? 'min-w-0' : 'hidden'}>
          <label htmlFor="try" className="mb-1 block text-xs font-medium text-ink-2">
            Preview with
          </label>
          <div className="flex gap-2">
            <Select
              id="try"
              name="try"
              defaultValue={current}
              className="min-w-0 flex-1"
              choices={choices}
              empty={choices.length === 0 ? 'No tapes yet' : undefined}
            />
            <noscript>
              <Button type="submit" name="edit" value="keep">
                Show
              </Button>
            </noscript>
          </div>
          {tapes && isSearched(tapes.counts) ? (
            <div className="mt-2 flex flex-wrap items-center gap-2">
              <SearchBox id="find-tape" name="findTape" noun={TAPES} search={tapes.counts.search} />
              <noscript>
                <Button type="submit" name="edit" value="keep">
                  Find
                </Button>
              </noscript>
              <FoundCounts counts={tapes.counts} noun={TAPES} />
            </div>
          ) : null}
        </div>
      </div>
      {whole.length > 0 ? (
        <ul className="mt-2 text-sm text-danger">
          {whole.map(({ message }) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
