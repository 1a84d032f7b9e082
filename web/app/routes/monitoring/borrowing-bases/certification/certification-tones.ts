import type { CertificationStatus } from '@tapeline/domain/certifications/certification-labels.ts';
import type { Tone } from '../../../../components/page/chip.tsx';

export const CERTIFICATION_TONES: Readonly<Record<CertificationStatus, Tone>> = {
  Draft: 'neutral',
  Submitted: 'accent',
  InReview: 'accent',
  Accepted: 'good',
  Disputed: 'danger',
  Superseded: 'neutral',
};
