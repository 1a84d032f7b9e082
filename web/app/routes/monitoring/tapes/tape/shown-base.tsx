import { Link, useSearchParams } from '@remix-run/react';
import { DateText, Name } from '../../../../components/figures/figures.tsx';
import { Select } from '../../../../components/forms/fields.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { paths } from '../../../../paths.ts';
import { ChoiceBar, ChoiceField, ChoiceForm } from '../choice-bar.tsx';
import type { AssetsView } from '../tape-head.ts';

type Bases = AssetsView['bases'];

/**
 * Shows which note and contract the borrowing base columns belong to. If there are several, the user can choose one.
 */
export function ShownBase({ bases: { shown, choices, isUnknown } }: { bases: Bases }) {
  const [search] = useSearchParams();
  const unknown = isUnknown ? (
    <Notice tone="warning">
      The requested borrowing base has no results for the assets of this tape. The current assets are shown
      {shown ? `, with the results of ${shown.note}` : ''}.
    </Notice>
  ) : null;
  if (!shown) return unknown;
  const words = (
    <>
      Borrowing-base columns:{' '}
      <Link to={paths.borrowingBase(shown.id)} className="tap-text font-medium text-accent underline">
        <Name length={60}>{shown.note}</Name>
      </Link>
      , contract v{shown.contract.revision} from <DateText value={shown.contract.cutOffDate} />
    </>
  );
  return (
    <>
      {unknown}
      {choices.length > 1 ? (
        <ChoiceBar>
          <ChoiceForm
            submit="Show"
            kept={{ filter: search.get('filter'), sort: search.get('sort'), asset: search.get('asset') }}
          >
            <ChoiceField
              label="Borrowing base"
              hint={`${choices.length} notes have results on this tape. The first is shown by default.`}
              className="max-w-full"
            >
              {(field) => (
                <Select
                  {...field}
                  key={shown.id}
                  name="borrowingBase"
                  defaultValue={shown.id}
                  choices={choices.map(({ id, note, contract }) => ({
                    value: id,
                    label: `${note}, contract v${contract.revision}`,
                  }))}
                />
              )}
            </ChoiceField>
          </ChoiceForm>
        </ChoiceBar>
      ) : null}
      <p className="mb-2 text-xs text-ink-2">{words}</p>
    </>
  );
}
