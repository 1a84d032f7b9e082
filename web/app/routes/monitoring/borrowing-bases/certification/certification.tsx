import { redirect } from '@remix-run/node';
import { Link, useActionData, useLoaderData } from '@remix-run/react';
import {
  disputeCertification,
  reviewCertification,
  saveCertificationDraft,
} from '@tapeline/db/operations/certifications/certifications.ts';
import { CERTIFICATION_STATUS_LABELS } from '@tapeline/domain/certifications/certification-labels.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { z } from 'zod';
import { acceptAndSeal, sendSigningCode, submitSigned } from '../../../../commands/certifications.server.ts';
import { DateText, Name } from '../../../../components/figures/figures.tsx';
import { formatCount } from '../../../../components/figures/format.ts';
import { LinkButton } from '../../../../components/forms/button.tsx';
import { Chip } from '../../../../components/page/chip.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { PageHeader } from '../../../../components/page/page-header.tsx';
import { named } from '../../../../components/page/page-name.ts';
import { Section } from '../../../../components/page/section.tsx';
import { act, confirmedIntent, intent, readScreen, type Screen } from '../../../../http/screen.server.ts';
import { originOf } from '../../../../http/session.server.ts';
import { paths } from '../../../../paths.ts';
import { BorrowerActions, LenderActions } from './actions.tsx';
import { disputeForm, onCertificate, signForm } from './certification-forms.ts';
import { type CertificationPage, readCertification } from './certification-page.server.ts';
import { CERTIFICATION_TONES } from './certification-tones.ts';
import { LinesTable } from './lines-table.tsx';
import { ReviewForm } from './review-form.tsx';
import { Seal } from './seal.tsx';
import { Sign } from './sign.tsx';
import { CertificationHistory } from './versions.tsx';

export const handle = named<typeof loader>(
  ({ base }) => [
    { label: `Borrowing base, ${formatCalendarDate(base.cutOffDate)}`, to: paths.borrowingBase(base.id) },
    'Borrower’s certificate',
  ],
  ({ base }) => `Borrower’s certificate, ${formatCalendarDate(base.cutOffDate)}, ${base.noteTitle}`,
);

export const loader = readScreen('borrowingBase/read', (screen) =>
  screen.db((session) => readCertification(session, screen)),
);

const idOf = ({ params }: Screen): string => params.id ?? '';
const of = (certificate: string, screen: Screen) => ({ id: certificate, baseId: idOf(screen) });
const BORROWER = 'transactionDraw/write';
const LENDER = 'transactions/write';

export const action = act({
  confirm: intent({
    permission: BORROWER,
    schema: z.object({}),
    async run(_form, screen) {
      await screen.db((session) => saveCertificationDraft(session, { baseId: idOf(screen), body: { lines: null } }));
      return redirect(paths.certification(idOf(screen)));
    },
  }),
  sendCode: intent({
    permission: BORROWER,
    schema: onCertificate,
    async run({ certificate }, screen) {
      await sendSigningCode(screen.request, screen.context, screen.actor, of(certificate, screen));
      return redirect(paths.certification(idOf(screen), { certificate, code: 'sent' }));
    },
  }),
  submit: intent({
    permission: BORROWER,
    schema: signForm,
    async run({ certificate, ...signature }, screen) {
      await submitSigned(screen.request, screen.context, screen.actor, of(certificate, screen), signature);
      return redirect(paths.certification(idOf(screen)));
    },
  }),
  review: intent({
    permission: LENDER,
    schema: onCertificate,
    async run({ certificate }, screen) {
      await screen.db((session) => reviewCertification(session, of(certificate, screen)));
      return redirect(paths.certification(idOf(screen)));
    },
  }),
  dispute: intent({
    permission: LENDER,
    schema: disputeForm,
    async run({ certificate, lines }, screen) {
      const wrong = lines.flatMap(({ line, reason }) => (reason ? [{ line, reason }] : []));
      if (wrong.length === 0) throw new Refusal('badRequest', 'Give a reason for at least one line');
      await screen.db((session) => disputeCertification(session, of(certificate, screen), { lines: wrong }));
      return redirect(paths.certification(idOf(screen)));
    },
  }),
  accept: confirmedIntent({
    permission: LENDER,
    schema: onCertificate,
    asks: 'accept',
    async run({ certificate }, screen) {
      const { actor, context, request } = screen;
      await acceptAndSeal({ actor, context, origin: originOf(request, context) }, of(certificate, screen));
      return redirect(paths.certification(idOf(screen)));
    },
  }),
});

/** What the page is about, for whoever reads it. */
function StateNotice({ page: { base, shown, side, all, isOwn } }: { page: CertificationPage }) {
  const latest = all[0];
  if (shown && latest && shown.id !== latest.id) {
    return (
      <Notice tone="warning" action={<Link to={paths.certification(base.id)}>Open the latest version</Link>}>
        This is version {shown.number}, which a later one follows.
      </Notice>
    );
  }
  if (shown && !base.isLatest && shown.status !== 'Superseded') {
    return (
      <Notice
        tone="warning"
        action={base.latest ? <Link to={paths.certification(base.latest)}>Open the latest base</Link> : null}
      >
        The borrowing base was calculated again or adjusted after this certificate. The figures are those that it
        certifies.
      </Notice>
    );
  }
  if (!shown) {
    return (
      <Notice tone="info">
        {side === 'borrower'
          ? 'Check the calculated figures. Confirm them, or give your own line by line.'
          : 'The borrower has not submitted a certificate of this borrowing base.'}
      </Notice>
    );
  }
  if (shown.status === 'Disputed') {
    return (
      <Notice tone="danger">
        {side === 'borrower'
          ? 'Your lender disputes the lines below. Correct your figures or confirm the calculated ones, and submit the certificate again.'
          : 'The borrower corrects the lines below and submits the certificate again, as a new version.'}
      </Notice>
    );
  }
  if (shown.status === 'InReview' && isOwn) {
    return <Notice tone="info">You submitted this certificate, so someone else must decide.</Notice>;
  }
  return null;
}

function facts({ shown, base }: CertificationPage) {
  return [
    ...(base.transaction
      ? [
          <>
            <Name>{base.transaction.title}</Name>, <b>{base.noteTitle}</b>
          </>,
        ]
      : []),
    ...(shown ? [`version ${shown.number}`] : []),
    ...(shown?.submittedAt
      ? [
          <>
            submitted by <b>{shown.name}</b>, {shown.title}, <DateText value={shown.submittedAt} time />
          </>,
        ]
      : []),
    ...(shown?.decidedAt
      ? [
          <>
            decided by <b>{shown.decidedBy}</b>, <DateText value={shown.decidedAt} time />
          </>,
        ]
      : []),
  ];
}

/** How many lines the borrower states, and how many of them differ. */
const summaryText = ({ shown, summary }: CertificationPage): string =>
  !shown
    ? 'calculated figures'
    : shown.isOwnFigures
      ? [
          formatCount(summary.given, 'line given', 'lines given'),
          formatCount(summary.differing, 'differs', 'differ'),
          ...(summary.differing > 0 ? [`${summary.unexplained} not explained`] : []),
        ].join(', ')
      : 'the borrower confirms the calculated figures';

export default function CertificationScreen() {
  const page = useLoaderData<typeof loader>() as CertificationPage;
  const { base, shown, side, lines } = page;
  const answer = useActionData<typeof action>();
  const isReviewing = side === 'lender' && shown?.status === 'InReview' && !page.isOwn;
  const caption = 'Lines of the certificate';
  return (
    <>
      <PageHeader
        title={`Borrower’s certificate, ${formatCalendarDate(base.cutOffDate)}`}
        chip={
          shown ? (
            <Chip tone={CERTIFICATION_TONES[shown.status]} dot>
              {CERTIFICATION_STATUS_LABELS[shown.status]}
            </Chip>
          ) : null
        }
        facts={facts(page)}
        actions={
          <>
            {side === 'borrower' ? <BorrowerActions page={page} /> : null}
            {side === 'lender' ? <LenderActions page={page} /> : null}
            <LinkButton to={paths.borrowingBase(base.id)}>Borrowing base</LinkButton>
          </>
        }
      />
      <StateNotice page={page} />
      <Seal shown={shown} verification={page.verification} />
      {side === 'borrower' && shown?.status === 'Draft' && shown.baseId === base.id && base.isLatest ? (
        <Sign page={page} />
      ) : null}
      <Section
        title="Line by line"
        note={`${base.currency} · ${summaryText(page)} · difference: borrower less calculated`}
      >
        {isReviewing && shown ? (
          <ReviewForm certificate={shown.id} lastResult={answer?.intent === 'dispute' ? answer.lastResult : null}>
            <LinesTable lines={lines} caption={caption} isDisputing />
          </ReviewForm>
        ) : (
          <LinesTable lines={lines} caption={caption} />
        )}
      </Section>
      {shown?.text ? (
        <Section title="Certification" note={`signed by ${shown.name}, ${shown.title}`}>
          <blockquote className="max-w-[44rem] border-l-2 border-line-strong pl-3 text-sm text-ink-2">
            {shown.text}
          </blockquote>
        </Section>
      ) : null}
      {page.all.length > 0 ? <CertificationHistory baseId={base.id} all={page.all} /> : null}
    </>
  );
}
