import { type DecimalText, isNegative, isZero } from '@tapeline/domain/money/decimal.ts';
import { classNames } from '../../../../components/class-names.ts';
import { Money } from '../../../../components/figures/figures.tsx';

/** A difference, with its sign. A deduction or a lower figure is no alarm. */
export function SignedMoney({
  value,
  currency,
  isStrong = false,
  className,
}: {
  value: DecimalText;
  currency: string;
  isStrong?: boolean;
  className?: string;
}) {
  return (
    <span className={classNames('figures whitespace-nowrap', isStrong && 'font-semibold', className)}>
      {!isZero(value) && !isNegative(value) ? '+' : null}
      <Money value={{ sum: value, currency }} className="!text-inherit" />
    </span>
  );
}
