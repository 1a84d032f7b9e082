import type { ContractWarning } from '@tapeline/domain/borrowing-base/contract-warnings.ts';
import { Notice } from '../../../../components/page/notice.tsx';

/** Names the items of a contract that do not do what they seem to. Nothing if there are none. */
export function EffectNotice({ warnings, lead }: { warnings: readonly ContractWarning[]; lead: string }) {
  if (warnings.length === 0) return null;
  return (
    <Notice tone="warning">
      <p>{lead}:</p>
      <ul className="list-disc pl-5">
        {warnings.map(({ section, index, title, message }) => (
          <li key={`${section}-${index}`}>
            <b className="font-semibold">{title}</b>: {message}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
