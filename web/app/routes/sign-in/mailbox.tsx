import type { LoaderFunctionArgs } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import { mailFolder } from '@tapeline/mail/mailer.ts';
import { classNames } from '../../components/class-names.ts';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Facts, PanelSection } from '../../components/page/section.tsx';
import { TableSection } from '../../components/tables/data-table.tsx';
import { errorAnswer } from '../../http/errors.server.ts';
import { listMails, readMail } from '../../http/mails.server.ts';
import { paths } from '../../paths.ts';

export const handle = { title: 'Mailbox' };

/** Every mail of this installation, open to anyone who can reach it. The page does not exist in production. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  if (context.environment.nodeEnv === 'production') throw errorAnswer(context, 'notFound');
  const folder = mailFolder(context.environment);
  const id = new URL(request.url).searchParams.get('mail');
  const mail = id ? await readMail(folder, id) : null;
  if (id && !mail) throw errorAnswer(context, 'notFound', 'This email no longer exists.');
  return { mails: await listMails(folder), mail };
}

export default function Mailbox() {
  const { mails, mail } = useLoaderData<typeof loader>();
  return (
    <main className="mx-auto max-w-[1240px] px-6 py-8">
      <PageHeader
        title="Mailbox"
        facts={['Emails sent by this installation, newest first', 'times in UTC']}
        actions={
          <Link to={paths.login()} className="text-sm text-accent hover:underline">
            Back to sign in
          </Link>
        }
      />
      <div className={classNames('grid gap-x-6', mail && 'lg:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)]')}>
        <TableSection
          title="Emails"
          narrow="list"
          rows={mails}
          rowTo={(row) => paths.mailbox({ mail: row.id })}
          columns={[
            { head: 'To', name: (row) => row.to, length: 34 },
            { head: 'Subject', name: (row) => row.subject, length: mail ? 34 : 80 },
            { head: 'Sent', date: (row) => row.at, quiet: true, time: 'bare' },
          ]}
          empty={<EmptyState title="No emails yet">Request a sign-in code to see its email here.</EmptyState>}
        />
        {mail ? (
          <PanelSection title={mail.subject} padded>
            <Facts
              items={[
                { label: 'To', value: mail.to },
                { label: 'From', value: mail.from },
              ]}
            />
            <pre className="mt-4 border-t border-line pt-4 font-mono text-xs break-words whitespace-pre-wrap">
              {mail.text}
            </pre>
          </PanelSection>
        ) : null}
      </div>
    </main>
  );
}
