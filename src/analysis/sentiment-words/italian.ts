// Words of praise and blame in Italian reviews: `_` is a blank, `*` an open end.
import type { SentimentWords } from "../sentiment-lexicon.ts";

export const italian: SentimentWords = {
  best: `eccellent* perfett* fantastic* incredibil* meraviglios* adoro ottim* stupend* splendid*
    magnific* la_migliore il_migliore bellissim* favolos* spettacolar* consigliatissim* top
    impeccabil* genial*`,
  good: `buon* bell* bravi bene utile utili facile facil* veloc* piace piaciut* divertent* consiglio
    consigliat* comod* pratic* simpatic* efficient* affidabil* soddisfatt* intuitiv* semplic*
    interessant* funziona_bene funziona_benissimo carin* gradevol* non_male niente_male
    nessun_problema senza_problemi complimenti super contento contenta migliorata buonissim*
    comodissim* utilissim* piacevole piacevoli carina carino carine carini simpatica chiaro
    chiara completo completa ottimo intuitivo intuitiva preciso precisa fluida fluido stabile
    gratis bravissim* ben_fatta ben_fatto funziona_perfettamente molto_bene consigliata
    rilassante adatt* migliorat* amo mi_piace mi_piace_molto vale_la_pena grazie_mille felice
    soddisfacente efficace sicura sicuro rapida rapido`,
  mildGood: "grazie ok funziona",
  bad: `male cattiv* lent* noios* fastidios* delus* deludent* crasha* blocca si_blocca bloccat* bug
    errore errori problema problemi non_funziona non_va non_si_apre non_apre non_carica
    non_riesco non_si_può non_mi_piace non_consiglio non_lo_consiglio non_la_consiglio
    smesso_di_funzionare si_chiude difficil* complicat* troppa_pubblicità troppe_pubblicità
    troppi_annunci caro cara costos* impossibil* disinstall* peggiorat* peggio brutt* scars*
    peccato inaffidabil* scomod* lentissim* manca mancano lento lenta malissimo brutto brutta
    bloccata bloccato crasha crash bugs non_funziona_più non_riesce non_posso non_permette
    impossibile difficile complicato complicata confus* delusione troppo_caro
    pubblicità_continua perdita_di_tempo scadent* insufficient* mancanza sbagliat* perso persa
    purtroppo rimborso nessuna_risposta nessuna_assistenza ingannevol* odio`,
  worst: `pessim* orribil* terribil* peggiore schifo schifos* spazzatura merda truffa truffator* ladri
    inutil* vergogn* penos* ridicol* disastr* zero_stelle furto inaccettabil* schifezza
    truffatori disastro disastros* cagata`,
  negators: "non senza mai niente nessun nessuna nessuno né neanche nemmeno",
};
