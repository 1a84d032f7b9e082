import type { SubmissionResult } from '@conform-to/react';
import { useEffect, useRef, useState } from 'react';
import { useCsrfToken } from '../../../../components/forms/csrf-field.tsx';
import { CheckboxField, TextareaField } from '../../../../components/forms/fields.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../../../components/forms/screen-form.tsx';
import { Panel } from '../../../../components/page/section.tsx';
import { useHydrated } from '../../../../components/use-hydrated.ts';
import { paths } from '../../../../paths.ts';
import type { UploadChoices } from '../upload-choices.server.ts';
import { uploadFormDescription } from '../upload-form.schema.ts';
import { useFileUploads } from '../use-file-uploads.ts';
import { FilesField, OTHER_FILES } from './files-field.tsx';
import { useHeldSubmit } from './held-submit.ts';
import { TapeCard, tapeLabel } from './tape-card.tsx';
import type { CheckAnswer } from './tape-check.tsx';
import type { FilledTape } from './tape-values.server.ts';

/** The documents stored by an earlier round trip that the server still has. */
function keptDocuments(lastResult: SubmissionResult<string[]> | null): { key: string; name: string }[] {
  if (!lastResult || lastResult.error?.otherAttachments) return [];
  const held = (lastResult.initialValue as Record<string, unknown> | undefined)?.otherAttachments;
  return (Array.isArray(held) ? held : []).flatMap((file: { key?: string; name?: string } | undefined) =>
    file?.key ? [{ key: file.key, name: file.name ?? file.key }] : [],
  );
}

/** The second step of an upload: what was found in each file, to check, complete and process. */
export function Review({
  choices,
  tapes,
  lastResult,
  look,
  check,
}: {
  choices: UploadChoices;
  tapes: readonly FilledTape[];
  lastResult: SubmissionResult<string[]> | null;
  /** The file that was just looked at again. */
  look: { readonly index: number; readonly tape: FilledTape } | null;
  /** The check of all rows of a file, without JavaScript. */
  check: CheckAnswer['check'] | null;
}) {
  /** The files before this one are checked. */
  const [turn, setTurn] = useState(0);
  const hydrated = useHydrated();
  const [looked, setLooked] = useState<ReadonlyMap<number, FilledTape>>(new Map(look ? [[look.index, look.tape]] : []));
  useEffect(() => {
    if (look) setLooked((before) => new Map(before).set(look.index, look.tape));
  }, [look]);
  const [form, fields] = useScreenForm('upload', uploadFormDescription, {
    // A look at a file changes that file alone: what was typed meanwhile stays.
    lastResult: look && hydrated ? null : lastResult,
    defaultValue: {
      tapes: tapes.map(({ hints, size, bytes, dataRow, companyName, ...values }) => values),
      calculateBB: choices.mayCalculate,
    },
  });
  const otherFiles = useRef<HTMLInputElement>(null);
  const others = useFileUploads(useCsrfToken(), otherFiles, keptDocuments(lastResult));
  const { box, isHeld, missing, holdBack } = useHeldSubmit([others]);
  const items = fields.tapes.getFieldList();
  const count = items.length;
  return (
    <div ref={box} onSubmitCapture={holdBack}>
      <ScreenForm
        form={form}
        labels={(name) => tapeLabel(name, tapes)}
        intent="upload"
        confirm="Process anyway"
        addressOf={paths.tape}
        asks="Is this right? No tape has been created yet. Change what is wrong, or process anyway."
        {...(hydrated ? {} : { encType: 'multipart/form-data' as const })}
      >
        {items.map((item, index) => {
          const tape = looked.get(index) ?? tapes[index];
          if (!tape) return null;
          const isLooked = looked.has(index);
          const ofCheck = {
            answered: check?.index === index ? check.made : null,
            isTurn: index <= turn,
            onEnd: () => setTurn((before) => Math.max(before, index + 1)),
          };
          return <TapeCard key={item.key} field={item} {...{ index, tape, isLooked, choices, ofCheck }} />;
        })}
        <Panel padded className="flex flex-col gap-4">
          {choices.mayCalculate ? (
            <CheckboxField
              field={fields.calculateBB}
              label="Also calculate the borrowing base"
              hint="For each note with a contract active on the cut-off date"
            />
          ) : null}
          <details open={Boolean(fields.exchangeRates.errors)}>
            <summary className="text-xs font-medium text-accent hover:underline">
              Exchange rates and other documents
            </summary>
            <TextareaField
              className="mt-3"
              field={fields.exchangeRates}
              label="Rates"
              rows={3}
              placeholder={'EUR 0.92\nGBP 0.79'}
              hint="One per line: units of the currency per US dollar. Blank uses the stored rates at the cut-off date."
            />
            <div className="mt-3">
              <FilesField
                field={fields.otherAttachments}
                input={otherFiles}
                uploads={others}
                missing={missing}
                list={OTHER_FILES}
              />
            </div>
          </details>
        </Panel>
        <FormActions
          submit={isHeld ? 'Waiting for files' : count === 1 ? 'Process' : `Process ${count} tapes`}
          submitting="Checking files…"
          cancelTo={paths.tapes()}
        />
      </ScreenForm>
    </div>
  );
}
