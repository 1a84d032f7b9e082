import { DateText } from '../../components/figures/figures.tsx';
import { ActionForm } from '../../components/forms/action-form.tsx';
import { ConfirmedAction } from '../../components/overlays/confirmed-action.tsx';
import { PanelSection } from '../../components/page/section.tsx';

/** The secret address of a calendar program. */
export interface Subscription {
  readonly address: string;
  /** ISO instant; null if no program has read it yet. */
  readonly readAt: string | null;
}

/** Lets the user read the calendar in another program, at an address that can be replaced and turned off. */
export function CalendarSubscription({ subscription }: { subscription: Subscription | null }) {
  return (
    <PanelSection title="Subscribe in your calendar" padded>
      {subscription ? (
        <div className="space-y-3">
          <label className="block text-sm">
            <span className="mb-1 block text-xs text-ink-2">Address for your calendar program</span>
            <input
              readOnly
              value={subscription.address}
              className="w-full rounded-md border border-line-strong bg-paper px-2.5 py-1.5 font-mono text-xs max-sm:min-h-10"
            />
          </label>
          <p className="max-w-[80ch] text-xs text-ink-2">
            In your calendar program, add a calendar from the internet and paste this address. Anyone who has it can
            read your calendar without signing in, so do not share it.{' '}
            {subscription.readAt ? (
              <>
                Last read <DateText value={subscription.readAt} time />.
              </>
            ) : (
              'Not read yet.'
            )}
          </p>
          <div className="flex flex-wrap gap-2">
            <ConfirmedAction
              asks="renew"
              intent="renewAddress"
              label="Replace address"
              title="Replace the address?"
              consequence="The current address stops working at once. Paste the new one into your calendar program."
              confirm="Replace address"
              tone="primary"
            />
            <ConfirmedAction
              asks="stop"
              intent="removeAddress"
              label="Turn off"
              title="Turn off the address?"
              consequence="It stops working at once, and calendar programs that use it are no longer updated."
              confirm="Turn off"
            />
          </div>
        </div>
      ) : (
        <div className="flex flex-wrap items-center gap-3">
          <p className="min-w-0 flex-1 text-sm text-ink-2">
            Create a secret address for Outlook, Google Calendar or Apple Calendar. It has what you can see here, from
            30 days ago to a year ahead, and stays up to date.
          </p>
          <ActionForm intent="createAddress">Create address</ActionForm>
        </div>
      )}
    </PanelSection>
  );
}
