import { Link } from '@remix-run/react';
import { paths } from '../../paths.ts';

/** Outside production no mail leaves the machine by itself; this says where it is. */
export function MailboxHint() {
  return (
    <p className="mt-8 border-t border-line pt-4 text-xs text-ink-3">
      Not in production: every mail is kept in the{' '}
      <Link to={paths.mailbox()} className="text-accent underline">
        mailbox
      </Link>{' '}
      of this installation.
    </p>
  );
}
