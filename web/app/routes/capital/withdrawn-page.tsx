import type { Deliveries as Listed } from '@tapeline/db/operations/outbox/deliveries.ts';
import { LinkButton } from '../../components/forms/button.tsx';
import { Chip } from '../../components/page/chip.tsx';
import { Notice } from '../../components/page/notice.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { PanelSection } from '../../components/page/section.tsx';
import { paths } from '../../paths.ts';
import { Deliveries } from './who-is-told.tsx';

/** Instead of a call, a distribution, an announcement or a file that was withdrawn. */
export function WithdrawnPage({
  title,
  text,
  reason,
  deliveries,
  historyOf,
  again = null,
  backTo,
  head,
}: {
  title: string;
  text: string;
  /** Why, for the manager. */
  reason: string | null;
  /** Who was told of it, and of its withdrawal; none for an investor. */
  deliveries: Listed;
  historyOf: { resource: string; id: string } | null;
  /** Where it is as it was issued again. */
  again?: { label: string; to: string } | null;
  backTo: { label: string; to: string };
  /** What the people who were told belong to. */
  head?: string;
}) {
  return (
    <>
      <PageHeader
        title={title}
        chip={<Chip tone="danger">Withdrawn</Chip>}
        actions={
          <>
            {historyOf ? (
              <LinkButton to={paths.documentHistory(historyOf.resource, historyOf.id)}>History</LinkButton>
            ) : null}
            <LinkButton to={backTo.to}>{backTo.label}</LinkButton>
            {again ? (
              <LinkButton tone="primary" to={again.to}>
                {again.label}
              </LinkButton>
            ) : null}
          </>
        }
      />
      <Notice tone="warning">{text}</Notice>
      {reason ? (
        <PanelSection title="Reason" note="for you only" padded>
          <p className="text-sm whitespace-pre-line">{reason}</p>
        </PanelSection>
      ) : null}
      {deliveries.total > 0 ? (
        <Deliveries deliveries={deliveries} maySendAgain={false} {...(head ? { head } : {})} />
      ) : null}
    </>
  );
}
