import { Link } from '@remix-run/react';
import { paths } from '../../paths.ts';

/** Outside production, mails are kept in the mailbox. This hint links to it. */
export function MailboxHint() {
  return (
    <p className="mt-8 border-t border-line pt-4 text-xs text-ink-3">
      This is not a production environment. Emails are kept in the{' '}
      <Link to={paths.mailbox()} className="text-accent underline">
        mailbox
      </Link>{' '}
      of this installation.
    </p>
  );
}
