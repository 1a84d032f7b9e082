import { useNavigation } from '@remix-run/react';
import { Check } from 'lucide-react';
import { formatCount, formatFigure } from '../../../components/figures/format.ts';
import { Button } from '../../../components/forms/button.tsx';
import { CsrfField } from '../../../components/forms/csrf-field.tsx';
import { PostForm } from '../../../components/forms/post-form.tsx';
import { PanelSection } from '../../../components/page/section.tsx';
import type { UncertainName } from './names.server.ts';
import { meansField, nameField, nameValue } from './names-form.ts';

/** The names of the file that are not exactly the name of one document, with the documents that they may mean. */
export function NamesPanel({ names: { shown, total } }: { names: { shown: readonly UncertainName[]; total: number } }) {
  const busy = useNavigation().state !== 'idle';
  if (shown.length === 0) return null;
  return (
    <PostForm preventScrollReset>
      <CsrfField />
      <input type="hidden" name="intent" value="names" />
      <input type="hidden" name="count" value={shown.length} />
      <PanelSection
        title="Names to confirm"
        note={
          shown.length < total
            ? `the first ${formatFigure(shown.length)} of ${formatFigure(total)}`
            : 'your answers are remembered for the next files'
        }
      >
        <ul className="divide-y divide-line">
          {shown.map((name, index) => (
            <li key={nameValue(name)} className="px-4 py-2.5 text-sm">
              <input type="hidden" name={nameField(index)} value={nameValue(name)} />
              <fieldset>
                <legend>
                  <b className="font-semibold break-words">{name.text}</b>{' '}
                  <span className="text-xs text-ink-3">
                    {name.label}, {formatCount(name.rowCount, 'row')}
                  </span>
                </legend>
                {name.candidates.length === 0 ? (
                  <p className="text-xs text-ink-3">
                    Nothing has a similar name. Correct the cell below, or add the record first.
                  </p>
                ) : (
                  <div className="mt-1 flex flex-wrap gap-x-5 gap-y-1">
                    {name.candidates.map(({ code, title, externalCode }) => (
                      <label key={code} className="inline-flex min-h-7 items-center gap-2 max-sm:min-h-9">
                        <input type="radio" name={meansField(index)} value={code} className="size-4 accent-accent" />
                        <span>
                          {title}{' '}
                          <span className="text-xs text-ink-3">
                            code {code}
                            {externalCode === null ? null : `, external code ${externalCode}`}
                          </span>
                        </span>
                      </label>
                    ))}
                    <label className="inline-flex min-h-7 items-center gap-2 max-sm:min-h-9">
                      <input
                        type="radio"
                        name={meansField(index)}
                        value=""
                        defaultChecked
                        className="size-4 accent-accent"
                      />
                      None of these
                    </label>
                  </div>
                )}
              </fieldset>
            </li>
          ))}
        </ul>
        <div className="border-t border-line px-4 py-2.5">
          <Button type="submit" icon={Check} aria-disabled={busy || undefined}>
            Confirm the names
          </Button>
        </div>
      </PanelSection>
    </PostForm>
  );
}
