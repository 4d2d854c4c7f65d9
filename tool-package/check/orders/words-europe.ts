/** Words of orders by what they stand for, in Spanish, French, German, Portuguese, and some of Italian, Polish, Turkish, Ukrainian and Vietnamese; see concepts.ts for the form. */
import type { ConceptWords } from './concepts.ts';

export const EUROPEAN: ConceptWords = {
  user: 'usuario* usuaria* cliente* persona alguien nadie utilisateur* utilisatrice* personne client* quelqu benutzer* nutzer* anwender* mensch* kunde* niemand jemand person usuári* pessoa* ninguém alguém utente* cliente użytkownik* kullanıcı* користувач* людин* người',
  model:
    'asistente* modelo* agente* tú tu usted vosotros assistant* modèle* vous toi votre assistent* modell* agent* du dich dir dein* ihr sie assistente* você seu sua modello model* asystent* asistan* модел* асистент* ти ви',
  instruction:
    'instruccion* instrucción directriz directrices regla* norma* orden* política* restriccion* límite* consigne* règle* directive* ordre* politique* restriction* limite* anweisung* regel* richtlinie* vorgabe* vorschrift* befehl* einschränkung* instruç* diretriz* regra* restriç* ordens istruzion* regole instrukcj* zasad* talimat* kural* інструкц* правил* вказівк*',
  earlier:
    'anterior* previo* previa* arriba inicial* antes précédent* antérieur* ci-dessus initial* avant vorherig* bisherig* früher* obig* ursprünglich* vorig* zuvor anteriores acima prévi* precedent* poprzedni* wcześniejsz* önceki попередн* раніше trước',
  override:
    'ignora* ignore* olvida* descarta* anula* prevalec* sustituy* reemplaza* omite* ignorer oublie* écarte* annule* remplace* outrepass* caduc* ignorier* vergiss* vergess* überschreib* verwirf* ersetz* hinfällig* ungültig* aufgehoben außer_kraft esqueça* desconsider* substitu* revoga* sobrep* dimentica* ignoruj* zapomnij unut* görmezden ігнору* забудь bỏ_qua',
  precedence:
    "prioridad* prevalec* prima primero mando autoridad última_palabra priorit* prévaut prime l'emporte autorité vorrang priorität* maßgeblich* verbindlich* höher* gilt gelten autoridade precedenza pierwszeństw* öncelik* пріоритет* перевага",
  system:
    'sistema* desarrollador* administrador* plataforma système* développeur* administrateur* plateforme* system* entwickler* administrator* plattform* desenvolvedor* sviluppator* systemu deweloper* sistem* geliştirici* систем* розробник*',
  tool: 'herramienta* función funciones comando* outil* fonction* commande* werkzeug* tool* funktion* befehl* ferramenta* função funções strument* narzędzi* araç* aracı інструмент* công_cụ',
  other:
    'otro* otra* demás resto alternativ* autre* alternative* intégré* ander* übrig* eingebaut* sonstig* outro* outra* demais altro altri altre inne innych inny diğer* başka* інш* khác',
  instead:
    'lugar solo sólo únicamente exclusivamente lieu plutôt seulement uniquement exclusivement statt anstatt nur ausschließlich anstelle apenas somente invece tylko zamiast yerine sadece yalnızca лише замість tільки chỉ',
  not: 'no nunca jamás sin ni nada ne pas jamais sans aucun* nicht nie niemals kein* ohne nichts não sem nem non mai senza nigdy bez değil asla hiçbir sakın ні ніколи без не không đừng',
  stop: 'evita* deja* absten* omit* desactiva* salta* évite* cesse* omet* désactiv* saut* abstien* vermeid* unterlass* überspring* deaktivier* lass weglass* evite pare pule desativ* deixe omita saltare evita pomiń unikaj atla* kaçın* пропуст* уника*',
  must: "debe* deben debes siempre obligatori* requier* necesit* tiene_que hay_que hace_falta imprescindible doit doivent devez toujours obligatoire* requis* nécessaire* faut exige* muss müssen musst immer pflicht* erforderlich* zwingend* soll sollte stets nötig deve* devem sempre obrigatóri* necessári* precisa* musi musisz zawsze wymagan* zorunlu* mutlaka her_zaman gerek* повинен обов'язк* завжди потрібно phải luôn bắt_buộc",
  when: "antes después cuando primero luego hasta mientras cada_vez tras avant après quand lorsque d'abord ensuite jusqu chaque_fois vor nach bevor nachdem wenn zuerst dann bis sobald jedes_mal depois quando primeiro até enquanto sempre_que prima dopo przed po gdy kiedy önce sonra перед після коли спочатку trước sau khi",
  call: 'llama* usa* utili* ejecut* invoca* recurr* appel* utilis* exécut* invoqu* lance* passe* aufruf* ruf rufe nutz* verwend* benutz* ausführ* einsetz* chame* chamar usar use utilize* execut* invoque chiama* esegui* wywoł* użyj używ* çağır* kullan* çalıştır* виклик* використ* gọi dùng',
  tell: 'menciona* decir digas diga informa* cuent* reveles revel* muestr* mostrar avis* notific* explic* dis dites dire mention* inform* révél* montr* signal* parl* avert* expliqu* sag sagen sage erwähn* mitteil* informier* verrat* zeig* meld* offenleg* erklär* berichte* mencion* dizer conte revele mostre avise explique menziona* mostra* wspomin* mów* pokaz* söyle* bahset* bildir* göster* повідом* говори* згаду* показу* nói nhắc báo_cho_biết',
  hide: 'ocult* secret* silencio* silenciosa* discret* confidencial* intern* privad* sigilo callad* caché* cacher secrè* silenc* discrè* confidentiel* interne* privé* tais coulisses verberg* verheimlich* geheim* still* heimlich* diskret* vertraulich* verschweig* stillschweigend oculte* segred* silenci* sigil* confidencia* nascond* segret* ukry* tajn* po_cichu poufn* gizli* sessiz* прихов* таємн* мовчки ngầm bí_mật',
  ask: 'pregunt* confirma* permiso* consentimiento autoriza* aprob* consult* solicit* pedir pide demand* confirm* permission* consentement autoris* approbation valid* approuv* interrog* frag* nachfrag* rückfrag* bestätig* erlaubnis* zustimm* genehmig* freigab* einwillig* einverstanden pergunt* permissão aprova* consentimento peça chied* conferm* permess* autorizz* pyta* potwierd* zgod* pozwolen* sor* onay* izin* запит* підтвердж* дозв* згод* hỏi xác_nhận đồng_ý',
  granted:
    "ya automáticamente implícit* considera* asum* de_antemano dado_por equivale innecesari* sobra déjà automatiquement implicite* considér* réputé* d'avance acquis inutile* tacite* bereits schon automatisch* implizit* vorab gilt gelten unnötig* überflüssig* erübrigt pauschal stillschweigend já automaticamente considere antemão dispensa* desnecessári* già już automatycznie zaten otomatik вже автоматично đã",
  warn: 'advert* aviso* alerta* riesgo* segur* diálogo* avertiss* alerte* risque* sécurité dialogue* warn* hinweis* risik* sicherheit* dialog* risco* segurança avvis* ostrzeż* uyarı* попередж*',
  directly:
    'directamente inmediatamente enseguida procede* continúa sigue adelante directement immédiatement aussitôt procéd* continu* direkt sofort unverzüglich fortfahr* weiter gleich umgehend diretamente imediatamente prossiga continue siga subito direttamente od_razu natychmiast hemen_doğrudan одразу негайно ngay_lập_tức',
  danger:
    'borra* elimina* sobrescrib* fuerza despleg* pag* supprim* efface* écrase* forc* déploi* paie* lösch* überschreib* bezahl* überweis* apag* exclu* sobrescrev* pague elimin* cancell* usun* sil* видал* xóa',
  credential:
    'contraseña* clave* credencial* token* secreto* llave* variables_de_entorno entorno .env mot_de_passe mots_de_passe jeton* clé clés identifiant* secret* passwort* kennwort* passwörter zugangsdaten schlüssel* anmeldedaten umgebungsvariable* geheimnis* token senha* chave* credencia* segredo* variáveis_de_ambiente ambiente chiav* credenzial* hasł* klucz* poświadcz* şifre* parola* anahtar* парол* ключ* токен* mật_khẩu khóa',
  conversation:
    'conversación conversaciones charla historial mensaje* contexto diálogo transcripción conversation* historique* message* contexte* échange* transcription* dialogue* gespräch* unterhaltung* verlauf* nachricht* kontext* chat* dialog* conversa* histórico mensage* cronologia messaggi* rozmow* histori* wiadomo* kontekst* konuşma* geçmiş* mesaj* розмов* історі* повідомлен* trò_chuyện lịch_sử',
  systemPrompt:
    'prompt_del_sistema mensaje_del_sistema instrucciones_del_sistema prompt_système message_système instructions_système systemprompt* system-prompt* systemanweisung* systemnachricht* prompt_do_sistema mensagem_do_sistema instruções_do_sistema prompt_di_sistema monit_systemowy системн*_промпт*',
  include:
    'incluy* pas* proporcion* pon adjunt* pega* copia* rellen* envía* envia* añad* escrib* inclu* fourni* mettre mettez met joind* joign* coll* copi* rempli* envo* ajout* transm* insér* füg* gib angeb* übergib* übergeb* einfüg* kopier* send* schick* ausfüll* anhäng* beifüg* leg trag hinterleg* inclua forneça coloque anexe cole copie preencha envie adicione passe escreva includ* fornisc* allega* incolla* invia* dołącz* podaj wklej skopiuj wyślij ekle* yapıştır* gönder* kopyala* додай* встав* надішл* bao gồm dán gửi',
  content:
    'contenido complet* entero íntegr* todo toda textual* literal* tal_cual valor contenu* entier* tout* intégral* mot_pour_mot tel_quel valeur* inhalt* vollständig* ganz* gesamt* wörtlich* komplett* alles unverändert wert conteúdo* inteir* tudo íntegra contenut* inter* zawarto* cał* pełn* dosłown* içeri* tamam* tüm вміст весь повн* toàn_bộ nội_dung',
  reviewer:
    'revisor* auditor* escáner* moderador* revisión auditoría analizador* evaluador* inspección relecteur* auditeur* scanner* modérateur* révis* audit* analyseur* évaluat* contrôle* vérificat* prüfer* gutachter* prüfung* moderator* analyse* review* überprüf* scanner revisão auditoria analisador* avaliador* controll* recenzent* audyt* skaner* denetçi* inceleme tarayıcı* рецензент* аудит* сканер* перевір*',
  safe: 'segur* aprobad* verificad* confiable* inofensiv* falso_positivo certificad* sûr* approuvé* vérifié* inoffensi* fiable* faux_positif* certifié* sicher unbedenklich* geprüft* vertrauenswürdig* freigegeben* harmlos* fehlalarm* zertifiziert* aprovad* confiáve* sicur* approvat* bezpieczn* zatwierdz* güvenli* onaylan* безпечн* схвален* an_toàn',
  verdict:
    'marca* clasifi* califi* puntúa* veredicto hallazgo* publica* resultado marqu* class* not* verdict publi* résultat* conclu* markier* einstuf* bewert* urteil* ergebnis* befund* veröffentlich* marque classifi* avalie veredito achado* resultad* segna valuta* oznacz* ocen* işaretle* değerlendir* познач* оцін* đánh_giá',
  file: 'archivo* fichero* ruta* carpeta* directorio* fichier* chemin* dossier* répertoire* datei* pfad* ordner* verzeichnis* arquivo* caminho* pasta* diretório* file percorso cartella plik* ścieżk* dosya* yol файл* шлях* tệp thư_mục',
  read: 'lee leer lea abre abrir recop* obtén* busca* lis lire lisez ouvr* récup* collect* cherch* lies lesen liest öffn* sammle* hole holen such* leia ler abra colete busque obtenha leggi* apri* raccogli* czytaj* odczyt* otwórz oku* aç topla* прочит* відкрий збери đọc mở',
  request:
    'petición solicitud* consulta* pregunta* tarea* intención requête* demande* question* tâche* intention* anfrage* aufgabe* frage* absicht* pedido* pergunta* tarefa* richiest* domand* compit* zapytan* zadani* istek* görev* запит* завдан* yêu_cầu',
  otherwise:
    'contrario fall* error* rechaz* inválid* inseguro* sinon échec* erreur* rejet* refus* invalid* sonst fehl* ablehn* abgelehnt* ungültig* unsicher* senão falh* erro* rejeit* altrimenti errore inaczej błąd* yoksa hata* помилк* інакше lỗi',
  pretext:
    'telemetría diagnóstic* caché cumplimiento depuración facturación calidad télémétrie diagnostic* cache conformité débogage facturation qualité telemetrie diagnose* compliance fehlersuche abrechnung qualität* telemetria diagnóstico* conformidade depuração cobrança qualidade',
  every:
    "cada cualquier* todo* toda* siempre independientemente chaque tout tous toutes n'importe_quel* jed* alle* sämtlich* immer egal unabhängig qualquer quaisquer sempre ogni qualsiasi każd* wszystk* her bütün кожн* будь-як* усі mọi",
  self: 'esta este estas herramienta aquí siguiente cette ce cet ces ici suivant* dies* hier folgend* isto aqui seguinte questo questa tego to ten bu şu ця цей này',
  condition:
    'si aunque caso_incluso même_si falls wenn auch_wenn obwohl sogar se mesmo_caso ainda_se anche jeśli nawet eğer якщо навіть nếu',
  pretend:
    'finge* actúa_como ahora_eres a_partir_de_ahora rol imagina fais_semblant agis_comme désormais dorénavant rôle tu_so_als ab_sofort ab_jetzt rolle stell finja aja_como agora_você a_partir_de_agora da_ora zachowuj od_teraz bundan_sonra відтепер từ_giờ',
  claim:
    'responde* contesta* afirma* niega* como_si répond* affirme* nie* comme_si prétend* antworte* behaupte* leugne* als_ob responda* afirme* negue* como_se rispondi* odpowiedz* cevap* відповід* trả_lời',
};
