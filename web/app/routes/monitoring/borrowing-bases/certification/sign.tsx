import { Link, useActionData } from '@remix-run/react';
import { ActionForm } from '../../../../components/forms/action-form.tsx';
import { IntentForm } from '../../../../components/forms/intent-form.tsx';
import { PanelSection } from '../../../../components/page/section.tsx';
import type { ActionAnswer } from '../../../../http/screen.server.ts';
import { paths } from '../../../../paths.ts';
import type { CertificationPage } from './certification-page.server.ts';

/** The borrower signs its draft: the text, a code by email, then name, title and the code. */
export function Sign({ page }: { page: CertificationPage }) {
  const { base, shown, person, text, isCodeSent } = page;
  const answer = useActionData<ActionAnswer>();
  if (!shown) return null;
  return (
    <PanelSection title="Certify and submit" note="your lender sees it once you submit it" padded>
      <blockquote className="mb-4 max-w-[44rem] border-l-2 border-line-strong pl-3 text-sm text-ink-2">
        {text}
      </blockquote>
      {isCodeSent || answer?.intent === 'submit' ? (
        <IntentForm
          intent="submit"
          sent={{ certificate: shown.id, version: shown.version }}
          values={{ name: person.name }}
          className="grid max-w-[44rem] gap-4 sm:grid-cols-3"
          lines={[
            { name: 'name', label: 'Name', autoComplete: 'name' },
            { name: 'title', label: 'Title', hint: 'For example Chief Financial Officer' },
            {
              name: 'code',
              label: 'Code',
              hint: `We sent it to ${person.email}`,
              inputMode: 'numeric',
              autoComplete: 'one-time-code',
            },
          ]}
          submit="Submit certificate"
          submitting="Submitting"
          beside={
            <Link
              to={paths.certification(base.id, { certificate: shown.id })}
              className="text-sm text-accent hover:underline"
            >
              Send another code
            </Link>
          }
        />
      ) : (
        <>
          <p className="mb-3 text-sm text-ink-2">
            You confirm it with a new code, which we send to{' '}
            <b className="font-medium break-words text-ink">{person.email}</b>. It is valid for 10 minutes, for this
            certificate and in this browser only.
          </p>
          <ActionForm intent="sendCode" values={{ certificate: shown.id }} tone="primary">
            Send code
          </ActionForm>
        </>
      )}
    </PanelSection>
  );
}
