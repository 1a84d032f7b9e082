import { Form, Link } from '@remix-run/react';
import { Check, CircleCheck, CircleX, Minus } from 'lucide-react';
import { ActionForm } from '../../../../components/forms/action-form.tsx';
import { Button } from '../../../../components/forms/button.tsx';
import { inputClass, Select } from '../../../../components/forms/fields.tsx';
import { PanelSection } from '../../../../components/page/section.tsx';
import { paths } from '../../../../paths.ts';
import type { AccessPage } from './access.server.ts';

type Chosen = NonNullable<AccessPage['question']['chosen']>;

/** A button that blocks or allows one document, or no longer does. */
function EntryButtons({ user, chosen }: { user: AccessPage; chosen: Chosen }) {
  const button = (list: string, change: 'add' | 'remove', label: string) => (
    <ActionForm intent="entry" values={{ list, change, entry: chosen.entry, userVersion: String(user.version) }}>
      {label}
    </ActionForm>
  );
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      {chosen.isBlocked
        ? button('exclusiveResources', 'remove', 'No longer block it')
        : button('exclusiveResources', 'add', `Block it for ${user.firstName}`)}
      {chosen.isAllowed
        ? button('inclusiveResources', 'remove', 'No longer allow it individually')
        : button('inclusiveResources', 'add', `Allow it for ${user.firstName}`)}
    </div>
  );
}

function Answer({ user, chosen }: { user: AccessPage; chosen: Chosen }) {
  const Icon = chosen.opens ? CircleCheck : CircleX;
  return (
    <div className="mt-4" role="status">
      <p className="flex items-center gap-2 text-sm">
        <Icon aria-hidden="true" size={16} className={chosen.opens ? 'text-good' : 'text-danger'} />
        <span>
          <b className="font-semibold">{chosen.opens ? 'Yes.' : 'No.'}</b> {user.firstName}{' '}
          {chosen.opens ? 'can open' : "can't open"} {chosen.name}.
        </span>
      </p>
      <ul className="mt-2 space-y-1.5 text-sm text-ink-2">
        {chosen.reasons.map(({ text, speaks }) => (
          <li key={text} className="flex gap-2">
            {speaks === 'for' ? (
              <Check aria-hidden="true" size={14} className="mt-0.5 flex-none text-good" />
            ) : (
              <Minus aria-hidden="true" size={14} className="mt-0.5 flex-none text-danger" />
            )}
            <span className="min-w-0 break-words">
              <span className="sr-only">{speaks === 'for' ? 'Allows it: ' : 'Prevents it: '}</span>
              {text}
            </span>
          </li>
        ))}
      </ul>
      <p className="mt-3 rounded-md border border-line bg-canvas px-3 py-2 text-xs text-ink-2">{chosen.answer}</p>
      {user.mayChange ? <EntryButtons user={user} chosen={chosen} /> : null}
    </div>
  );
}

/** "Can she open …?": a search for a document that the viewer sees, answered as the user. */
export function Question({ user }: { user: AccessPage }) {
  const { collection, collections, search, found, chosen } = user.question;
  if (collection === null) return null;
  return (
    <PanelSection title="Try it" padded>
      <Form method="get" preventScrollReset className="grid gap-2">
        <p className="text-sm font-medium">Can {user.firstName} open …?</p>
        <label htmlFor="question-collection" className="text-xs font-medium text-ink-2">
          Collection
        </label>
        <Select
          id="question-collection"
          name="collection"
          key={collection}
          defaultValue={collection}
          choices={collections}
        />
        <label htmlFor="question-find" className="text-xs font-medium text-ink-2">
          Name or id
        </label>
        <input
          id="question-find"
          type="search"
          name="find"
          key={search}
          defaultValue={search}
          maxLength={200}
          placeholder="Part of the name, or the id"
          className={inputClass()}
        />
        <span>
          <Button type="submit">Check</Button>
        </span>
      </Form>
      {found && found.documents.length === 0 ? (
        <p className="mt-3 text-sm text-ink-2" role="status">
          You can’t see any of these.
        </p>
      ) : null}
      {found && !chosen && found.documents.length > 0 ? (
        <div className="mt-3 text-sm">
          <p className="text-xs text-ink-3" role="status">
            {found.total > found.documents.length
              ? `The first ${found.documents.length} of ${found.total}. Enter more of the name.`
              : 'Choose one.'}
          </p>
          <ul className="mt-1">
            {found.documents.map(({ id, name }) => (
              <li key={id}>
                <Link
                  to={paths.userAccess(user.id, { collection, find: search || id, document: id })}
                  preventScrollReset
                  className="tap-text text-accent hover:underline"
                >
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      {chosen ? <Answer user={user} chosen={chosen} /> : null}
    </PanelSection>
  );
}
