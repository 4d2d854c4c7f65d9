/** The whole corpus. `TUNED` may be looked at while a rule is written; `HELD_OUT` may not. */
import { pairs as archiveRules } from './archive-rules.ts';
import { pairs as behaviourMore } from './behaviour-more.ts';
import { pairs as codeKinds } from './code-kinds.ts';
import { pairs as codeMore } from './code-more.ts';
import { pairs as codeRules } from './code-rules.ts';
import { pairs as forms } from './forms.ts';
import { pairs as heldOutCode } from './held-out-code.ts';
import { pairs as heldOutForms } from './held-out-forms.ts';
import { pairs as heldOutFresh } from './held-out-fresh.ts';
import { pairs as heldOutMore } from './held-out-more.ts';
import { pairs as heldOutOrders } from './held-out-orders.ts';
import { pairs as heldOutPromotion } from './held-out-promotion.ts';
import { pairs as hidden } from './hidden.ts';
import { pairs as ordersEn } from './orders-en.ts';
import { pairs as ordersMore } from './orders-more.ts';
import { pairs as ordersRu } from './orders-ru.ts';
import { pairs as ordersZh } from './orders-zh.ts';
import { pairs as packageRules } from './package-rules.ts';
import type { Pair } from './pair.ts';
import { pairs as permissions } from './permissions.ts';
import { pairs as piRules } from './pi-rules.ts';
import { pairs as promotion } from './promotion.ts';
import { pairs as slopcodeRules } from './slopcode-rules.ts';

export const TUNED: readonly Pair[] = [
  ...piRules,
  ...slopcodeRules,
  ...behaviourMore,
  ...ordersEn,
  ...ordersZh,
  ...ordersRu,
  ...ordersMore,
  ...promotion,
  ...hidden,
  ...forms,
  ...permissions,
  ...codeRules,
  ...codeMore,
  ...codeKinds,
  ...archiveRules,
  ...packageRules,
];

/** Written after the rules that they measure. */
export const FRESH: readonly Pair[] = heldOutFresh;

export const HELD_OUT: readonly Pair[] = [
  ...heldOutOrders,
  ...heldOutMore,
  ...heldOutPromotion,
  ...heldOutForms,
  ...heldOutCode,
];
