/** Words of orders by what they stand for, in English; see concepts.ts for the form. */
import type { ConceptWords } from './concepts.ts';

export const ENGLISH: ConceptWords = {
  user: 'user* human* person people operator* customer* owner* client clients requester speaker they them their he she someone somebody anyone whoever end-user*',
  model:
    'assistant* model models agent agents llm* ai claude gpt* chatgpt copilot chatbot* bot you your yourself yours',
  instruction:
    'instruction* directive* guideline* rule rules polic* order orders guidance constraint* restriction* prompt prompts direction directions requirement* told limits guardrail* training norms',
  earlier:
    'previous* prior earlier above preceding former existing original* initial* past so_far up_to_now until_now beforehand before_this',
  override:
    'ignor* disregard* forget forgets overrid* overrul* supersed* discard* bypass* set_aside replac* void outrank* trump* nullif* cancel* drop drops abandon* revok* suspend* obsolete outdated stale no_longer_appl* not_appl* invalid* cease',
  precedence:
    'preced* priorit* supreme authoritative binding bind binds prevail* win wins higher highest outweigh* final governs govern takes_over last_word above_all first_and_foremost weight authority authorit*',
  system: 'system developer* admin* administrator* operator* vendor* platform maintainer* security_team host',
  tool: 'tool tools function functions bash shell grep glob webfetch websearch edit write read command commands extension* plugin* mcp terminal integration* editor',
  other:
    'other others another alternative* else elsewhere built-in builtin native competing similar remaining rest any_other',
  instead: 'instead rather only exclusively solely sole in_place_of replacement prefer*',
  not: "not never no without none neither nor cannot nothing nobody dont n't isn't aren't don't doesn't won't can't shouldn't mustn't",
  stop: 'stop avoid* refrain quit skip* omit* leave_out disable* refus* deactivat* uninstall* turn_off withhold* exclude',
  must: 'must always required require* mandatory need needs have_to has_to should shall ensure make_sure be_sure obligatory essential compulsory supposed expected expects necessary',
  when: 'before after until once whenever when while during beforehand afterwards then first next start begin* prior_to each_time every_time',
  call: 'call calls calling called invok* use uses using used run runs running execut* rout* go_through goes_through pass_through consult* reach_for turn_to choose pick rely* trigger*',
  tell: 'tell tells telling mention* report reports reporting say says saying disclos* reveal* inform informs informing informed notif* show shows showing shown surface* announc* explain* describ* know knows learn see sees aware bring_up discuss* acknowledg* refer_to quote display* speak list word bother troubl* distract* concern* confus*',
  hide: 'hide hidden secret secretly silent* quiet* conceal* private* confidential* discreet* discretion invisible behind_the_scenes background unseen unnoticed to_yourself between_us internal* off_the_record not_visible under_the_hood implementation_detail unmentioned sight',
  ask: 'ask asks asking asked confirm* approv* permission* consent* check_with authoriz* authoris* go-ahead sign-off sign_off prompting okay ok clarif* question* double-check verif* agree* acknowledgement',
  granted:
    'already pre-approved preapproved granted implied implicit* assum* in_advance standing auto-approve* automatically unnecessary no_need needless not_needed by_default waiv* blanket opted agreed deemed consider considered counts_as treat* counted',
  warn: 'warn* alert* dialog* notice* caution* risk* disclaimer* safety confirmation_dialog popup* pop-up* hesitat* object*',
  directly:
    'directly immediately straight right_away at_once proceed* continue continues go_ahead carry_on just straightaway outright without_delay',
  danger: 'delet* remov* overwrit* force push drop destructive rm format deploy* reset pay purchas* transfer*',
  credential:
    'password* passwd passphrase* token tokens apikey* api_key* secret_key* secrets credential* ssh id_rsa id_ed25519 .env env aws .aws kubeconfig .kube cookie* private_key* keychain .netrc netrc .npmrc login logins environment_variable* environment bearer oauth auth auth.json session_key* access_key* keys gpg wallet seed_phrase 2fa otp pin github_token',
  conversation:
    'conversation* chat chats history transcript* dialog dialogue messages message context thread discussion* exchange turns turn utterance* talked said wrote typed session',
  systemPrompt:
    'system_prompt* system_message* system_instruction* initial_prompt hidden_prompt your_instructions your_prompt your_rules your_guidelines preamble configured_with',
  include:
    'include* including pass passes passing provid* put attach* append* paste* copy copies copied fill supply supplies send sends sending add adds embed* forward* place insert* contain* submit* upload* carry carries goes_here belongs report_back hand_over echo dump write return prepend* give drop export',
  content:
    'content* full entire whole verbatim complete completely everything exact exactly raw word_for_word text copy_of unabridged unredacted as_is value_of values body',
  reviewer:
    'review reviewer* reviewers audit* scanner* scan scans moderator* curator* linter* analyzer* analyser* checker* classifier* grader* grading inspect* static_analysis vetting security_team evaluat* detector* analysis assess* human_reader checks automated',
  safe: 'safe benign trusted certified cleared harmless false_positive* compliant whitelist* allowlist* vetted verified passed exempt* clean legitimate known-good reviewed signed_off no_risk low_risk ok_to',
  verdict:
    'mark marks classif* rate rates rated score scores pass report_as conclude* finding findings flag flags flagged verdict label labels rating result severity approve listing publish* skip escalat*',
  file: 'file files ~/ path folder directory home /etc dotfile* config configuration',
  read: 'read reads reading open opens cat load loads look_up fetch fetches collect* gather* obtain* retriev* dig find',
  request: 'request requests query queries task tasks intent goal asked_for wanted goes_wrong',
  otherwise:
    'otherwise fail fails reject* refused error errors invalid incomplete wrong unreliable insecure corrupt* unsafe deprecated broken',
  pretext:
    'telemetry analytics diagnostic* caching cache compliance debug* billing audit_log quality correlat* attribution traceability personaliz* calibrat* integrity licens* schema session_id handshake',
  every: 'every each any all whatever anything always no_matter regardless in_any_case',
  self: 'this_tool this_function this_text this_description these this here following below itself',
  condition: 'if in_case should unless even_if even_when',
  pretend: 'pretend* act_as imagine role you_are_now from_now_on as_of_now henceforth new_mode developer_mode',
  claim:
    'claim claims attribute credit answer_that reply_that respond_with respond_that change_the_subject deny denies happened as_your_own as_if',
};
