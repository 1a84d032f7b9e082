import type { SubmissionResult } from '@conform-to/react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useCsrfToken } from '../../../../components/forms/csrf-field.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../../../components/forms/screen-form.tsx';
import { Panel } from '../../../../components/page/section.tsx';
import { useHydrated } from '../../../../components/use-hydrated.ts';
import { paths } from '../../../../paths.ts';
import { filesFormDescription } from '../upload-form.schema.ts';
import { useFileUploads } from '../use-file-uploads.ts';
import { FilesField, TAPE_FILES } from './files-field.tsx';
import { namesOf, useHeldSubmit } from './held-submit.ts';

const LABELS = { attachments: 'Files', refused: 'Files' };

/**
 * The first step of an upload: the files. With JavaScript each is uploaded as soon as it is chosen or dropped; without
 * it, they are sent with the form. The form is submitted once all files are uploaded.
 * @param dropped files that were dropped on another page
 */
export function PickFiles({
  company,
  lastResult,
  dropped,
}: {
  company: string | null;
  lastResult: SubmissionResult<string[]> | null;
  dropped?: readonly File[];
}) {
  const hydrated = useHydrated();
  const [form, fields] = useScreenForm('files', filesFormDescription, {
    lastResult,
    defaultValue: { company: company ?? '' },
    shouldValidate: 'onSubmit',
  });
  const input = useRef<HTMLInputElement>(null);
  const uploads = useFileUploads(useCsrfToken(), input, []);
  const { renew, add } = uploads;
  // biome-ignore lint/correctness/useExhaustiveDependencies: dropped files are uploaded once
  useEffect(() => {
    if (dropped) add(dropped);
  }, []);
  // The server deletes files that it refused. Upload those still in the browser again.
  useEffect(() => {
    if (lastResult?.error?.attachments) renew();
  }, [lastResult, renew]);
  const { box, isHeld, missing, holdBack } = useHeldSubmit([uploads]);
  const stored = uploads.entries.filter(({ key }) => key).length;
  const [isSent, setSent] = useState(false);
  const isReady = !isSent && stored > 0 && stored === uploads.entries.length;
  useEffect(() => {
    if (!isReady) return;
    setSent(true);
    box.current?.querySelector('form')?.requestSubmit();
  }, [isReady, box]);
  return (
    <div ref={box} onSubmitCapture={(event: FormEvent) => holdBack(event)}>
      <ScreenForm
        form={form}
        labels={LABELS}
        intent="pick"
        action={paths.newTape()}
        {...(hydrated ? {} : { encType: 'multipart/form-data' as const })}
      >
        <input type="hidden" name="company" value={company ?? ''} />
        <Panel padded className="flex flex-col gap-4">
          <FilesField
            field={fields.attachments}
            refused={fields.refused}
            input={input}
            uploads={uploads}
            missing={missing.length > 0 ? namesOf(uploads) : []}
            list={TAPE_FILES}
          />
        </Panel>
        <FormActions
          submit={isHeld ? 'Waiting for files' : 'Continue'}
          submitting="Reading the files"
          cancelTo={paths.tapes()}
        />
      </ScreenForm>
    </div>
  );
}
