/** Version of the rules: it is stored with the findings, and a change of it re-checks what is here. Apart, since the rules are heavy. */
export const RULE_SET = '3';
