// The small words of each language in Latin script, and the words of people who review apps in it.
// Hand-picked; a word may be in several lists, and then counts less.

export const languageMarkers: Readonly<Record<string, string>> = {
  en: `the and to is it of for this that you not my with but have so was are be on in at can i a
      they when what all just your it's don't can't doesn't i'm i've very good great nice love best
      would please really even if or an as from has get because only more after now been why how
      will there their them which who we our me by no fix like time useful amazing awesome excellent
      works work working need want every never always doesnt dont cant cool wow bad worst easy helpful
      perfect fun thanks thank app game keep use using than worse better much too many people phone
      money free thing things way back still again ever stop waste cannot won't isn't didn't could
      should make makes think know everything anything nothing something am do does did had out up
      its wonderful enjoy beautiful fantastic brilliant terrible horrible boring pretty lovely loved
      hate recommend fake fast slow experience keeps seriously problems frequently ads device login mandatory first few new old were before let also well thx
      impossible_to good_to easy_to hard_to to_use to_install to_open to_work to_play is_the
      application_is app_is service_is super_app super_application excellent_app
      excellent_application simple_and simple_to efficient impossible application service
      important practical installation super simple intuitive useless incredible version option
      non_existent very_simple and_simple and_efficient so_simple and_practical best_application
      nice_application good_application
      to_get to_see to_do to_be to_make to_find to_log to_watch to_read to_download to_update
      to_pay to_edit to_learn to_retouch to_delete to_travel to_listen good_for great_for
      perfect_for best_for for_me for_kids for_travel for_the of_the in_the on_the is_very is_so
      is_not is_good is_great is_bad is_the_best and_easy and_useful and_fast very_practical
      very_efficient a_photo a_simple an_excellent the_application the_service this_application
      this_service your_service terrible_service excellent_service important_to useful_to
      possible_to`,
  hi: `hai hain nahi nahin nhi kya kyu kyun kaise bahut bohot bhut accha acha achha acchi achi
      achhi mast bekar bekaar ghatiya bakwas bakwaas khatam bhai yaar ye yeh woh wo ka ki ke ko se me
      mein par pe bhi hi ho hota hoti hote tha thi raha rahi rahe kar karo karke karna karte karta
      karti kiya kiye gaya gayi gaye mera meri mere mujhe hum hamara aap aapka apka tum tera isme
      isko iska iski isse usme kuch kuchh sab sabse baar jab tab abhi aur ya lekin magar par phir fir
      agar toh bas paisa paise paisa_vapas chal chalta chalti chalta_hai nahi_chal_raha kaam karo_na
      wala wali wale ek do teen zyada jyada kam thoda pehle baad din dost dekho dekhne dekh lagta
      lag maza aata aati aa ja jata jati de dena diya lo lena liya samajh galat sahi bilkul sirf itna
      kitna kabhi hamesha kyunki isliye bahut_accha_app mast_app accha_app bekar_app khul band hua hui hue`,
  es: `no_funciona no_sirve no_abre no_carga no_anda no_me_gusta no_me_deja muy_buena muy_bueno
      muy_mala va_bien va_mal está_bien esta_bien funciona_bien de la que el en y a los se del las un por con no una su para es al lo como más mas pero sus
      le ya o este sí porque esta entre cuando muy sin sobre también tambien me hasta hay donde quien
      todo nos todos uno les ni otros ese eso ante esto mí antes algunos qué yo otro otras él tanto
      esa estos mucho muchas muchos nada cada puedo puede tengo tiene hace hacer bueno buena buenas
      buenos excelente gracias aplicación aplicacion juego funciona bien siempre mejor peor tiempo
      mi está estoy son ahora mala malo encanta gusta ayuda fácil facil rápido rapido estrellas dinero
      cuenta deja dice quiero desde hola genial increíble increible favor solo sólo así tan fue ser
      pésima pesima pésimo pesimo todas aunque después despues era están estan recomiendo dan ha he
      servicio servicios tarjeta crédito credito problemas bastante menos mis buen favorita perfecto
      nadie tienen alguien solución sirve usar usa problema me encanto encantó gustaria divertido entretenido linda lindo bonito hermoso hermosa practica contenta feliz útil
      extraordinaria extraordinario definitivamente basura porquería porqueria completa completo intuitiva intuitivo banco diferente
      recibí recibi recibo código codigo esperando espero apenas instalar instalé instalo descargar
      descargué actualización actualizacion contraseña registrarme pude pudo nunca totalmente suave claro además
      luego ayer hoy semana meses años pesos tarjetas comprar compras pagar pagos
      cobran cobraron abrir cierra error súper superó cumple esperaba nueva última ultima
      versión version trabajo gente celular teléfono pantalla juegos anuncios publicidad`,
  pt: `de a o que e do da em um para é com não nao uma os no se na por mais as dos como mas foi ao
      ele das tem à seu sua ou ser quando muito há nos já está eu também tambem só pelo pela até isso
      ela entre era depois sem mesmo aos ter seus quem nas me esse eles estão você voce vc tinha foram
      essa num nem suas meu às minha têm numa bom boa ótimo otimo ótima otima excelente aplicativo
      jogo gostei adoro amei obrigado obrigada funciona bem sempre melhor pior tempo agora ruim fazer
      consigo estou tudo todos fica atualização atualizacao maravilhoso maravilhosa péssimo pessimo
      legal dinheiro nada muitos muita porque pra pro q n recomendo fácil dá vai são sao perfeito
      parabéns gosto amo demais lixo quero pode depois assim ainda`,
  fr: `de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce il sont
      avec ou mais je nous vous c'est j'ai n'est très tres bien tout cette être etre fait comme on mon
      ma mes même aussi sans si leur peut ces y deux lui dont elle trop jeu appli
      génial genial bonne bon merci depuis toujours jamais quand plusieurs nul nulle fois
      temps parfait excellente dommage jour mise ça ca rien faire moi beaucoup encore après
      avant pourquoi alors étoiles cela peu notre votre vos j'adore j'aime adore aime suis ai été
       pratique utile facile marche fonctionne j'arrive qu'il qu'on d'une d'un l'application
      l'appli désinstaller vraiment chaque autre dommage agréable efficace produit suivre motivante pratique nouveau nouvelle mise jour pub pubs montre
      activités mieux pire efficace sympa rapide`,
  de: `der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an
      werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum war
      haben nur oder aber vor zur bis mehr durch man sein wurde wenn kann ich mir mich mein meine wir
      gut gute sehr super leider geht funktioniert keine kein immer schon jetzt schlecht toll danke
      einfach alles ganz hier habe warum nichts update app da weil gibt klasse prima schade viel
      zeit neue nie nur macht dann doch bin seit wieder mal alle muss was ihr uns euch besser beste
      guter gutes schnell perfekt empfehlenswert übersichtlich unbrauchbar trotz wäre fuer ueber
      schön spiel spaß geil daten handy bitte könnte diese dieser dieses
      fehlt fehlen behoben anmeldung anmelden fehler registrierung verbindung problemlos einwandfrei tolle sache
      wo verbinden verbunden unterstützt lässt ging endlich werbung spende möchte`,
  it: `di e il la che in un a per è una non sono con si da del le dei al come lo alla più ma anche
      gli della nel se ho mi ci questa questo ha molto nella delle tutto quando cosa quello io perché
      perche sempre solo ogni bene buona buono ottima ottimo bella bello grazie applicazione gioco
      funziona meglio peggio tempo adesso ora niente dopo prima senza fare fatto essere stato può puo
      sia troppo bellissimo bellissima consiglio pessima pessimo aggiornamento c'è facile utile davvero
      tutti tutte così cosi ancora mai anni soldi telefono vorrei dove chi poi già gia però pero sul
      dal dalla sulla mio mia loro siete carina carino comoda comodo veloce perfetta perfetto`,
  id: `yang dan di ini itu dengan untuk tidak dari dalam akan pada juga saya ke karena tersebut bisa
      ada mereka lebih kita sudah atau tapi kalau kalo aja gak ga nggak ngga gk tdk sy yg dgn utk krn
      jadi banyak sangat bagus baik mantap mantul keren aplikasi aplikasinya game terima kasih tolong
      mohon masuk susah mudah lagi terus saja semua buat udah belum blm bgt banget membantu suka
      cepat lambat lemot jelek sering selalu kenapa knp gimana bagaimana harus kok sih dong nih min
      pakai pake oke sekali kali lama baru hilang gagal jaringan padahal malah orang apa sama aku
      kami anda hanya cuma bukan jangan masih setelah sebelum saat waktu hari uang pulsa iklan
      kecewa memuaskan semoga ditingkatkan perbaiki diperbaiki bermanfaat lancar puas sukses gabisa
      dapat menggunakan payah mantab mantep gampang cukup bgus kereen okelah bagusnya tiket gangguan
      pelayanan kurang ribet tetap sukanya seru lumayan asik parah bos hp kak gratis dah
      baguus mantaap sip makasih`,
  nl: `de en het van een in is dat te op die niet met voor zijn aan er ik ook als maar bij om ze dan
      nog je deze naar heeft wat kan wel uit mijn hebben heb was geen door over meer veel zo goed goede
      leuk leuke spel werkt heel erg altijd handig fijn fijne wordt worden jammer slecht steeds alleen
      weer gewoon makkelijk mooi beter tijd zou moet kunnen krijg krijgt jullie mij hij wij onze
      dit daar hier nu al alles niets waarom sinds zeer doet keer echt helaas nooit geld duidelijk
      overzichtelijk gebruik prima prachtig bedankt snel moeilijk gaat iets app super`,
  pl: `w i nie na z się sie do jest to że ze o jak po co tak za od ale dla czy tylko już juz jestem
      bardzo mi są sa przez może moze ten ta te by gdy było bylo mam polecam aplikacja aplikacji gra
      fajna fajne super dobra dobre działa dziala ponieważ kiedy zawsze nigdy wszystko ok można mozna
      świetna swietna dziękuję dlaczego trzeba czasu lepiej gorzej mnie jeszcze coś cos ma ich był
      była przy pod bez ani też tez oraz więcej reklam reklamy gry słaba najlepsza najlepsze spoko
      dobrze porażka pieniądze telefonie aktualizacji brak szybko łatwa nic żeby ciągle`,
  tr: `ve bir bu da de için icin çok cok ile ne gibi daha var olarak ama en kadar sonra ben her değil
      degil mi mı iyi güzel guzel uygulama oyun yok olan diye o ki bana beni biz siz kötü kotu harika
      süper super teşekkürler tesekkurler lütfen lutfen olsun olmuş oldu oluyor sürekli surekli
      neden nasıl şey sey zaman hiç hic artık artik bence berbat mükemmel mukemmel tavsiye ederim
      gerçekten gercekten yeni telefon hata sorun güncelleme açılmıyor yapın yapıyor ediyor değil
      gayet hızlı rezalet kullanışlı bayıldım olmuyor veriyor geliyor istiyorum şekilde fazla reklam
      almayın indirmeyin emeği geçen aferin seviyorum şahane`,
  vi: `là và của không được cho có tôi này với một các trong để người rất tốt hay mà nhưng ứng dụng
      quá thì như bị lại đã khi ra nên game chơi hơn mình ko k đc cũng vào nhiều thể sao lỗi đi mới
      cập nhật tuyệt vời nhanh cảm ơn đẹp lắm dùng sử tiện lợi ok thật luôn vui ngon tiền khong
      duoc tot qua hoi rat ung dung cam on te kém chán xóa tệ`,
  cs: `a je v se na to že s z i do o ve pro jsem jako ale by za po si jsou když jen tak už aplikace
      hra nefunguje funguje není neni velmi dobrá dobra super skvělá skvela super co proto kde ještě
      jeste mám mam moc hezké pěkná špatné děkuji doporučuji všechno nebo podle může být bylo také
      mi jde nejde výborná spokojenost spokojený spokojena rychlé přehledná stále pořád proč reklamy
      telefon jednoduchá jak mě nic bez prosím dobré super aktualizaci`,
  sv: `och i att det som en på är av för med till den har de inte om ett men jag var sig så från vi
      kan när nu bra mycket appen fungerar jättebra dålig dåligt tack alla mig min ska bara också
      eller hur vad varför alltid aldrig enkel lätt spel spelet roligt kul gör går funkar utan
      där här får måste efter sedan dom man mer bättre sämre toppen smidig tyvärr ingen inget
      ju sen hela helt vill`,
  da: `og i at det er en til på som med for den de af ikke der har et men jeg var sig så fra vi kan
      når nu god godt meget appen virker fungerer dårlig tak alle mig min skal bare også eller hvad
      hvorfor altid aldrig nem let spil spillet sjovt gør går uden hvis blev efter op ud noget bliver
      bedre rigtig hvor være kun af jer mit nogle hele helt dejlig hurtig ellers desværre mere lige`,
  no: `og i det er en til på som med for den de av ikke har et men jeg var seg så fra vi kan når nå
      god bra veldig appen fungerer virker dårlig takk alle meg min skal bare også eller hva hvorfor
      alltid aldri enkel lett spill spillet gøy gjør går uten hvis ble etter opp ut noe blir bedre
      hvor være kun dere mitt noen hele helt deilig rask ellers dessverre mer kjempebra topp mye ikkje
      deg funker må`,
  fi: `ja on ei että se en oli mutta kun niin ole hyvä hyvin tämä sovellus toimii peli kiva todella
      aina kaikki vain jos nyt voi olen myös mitä miksi sen sitä tai paljon kiitos huono helppo
      ihan erittäin paras mukava ennen vaikka jälkeen koko aika liian enää toimi ollut minun
      käyttää olla tää pelin päivityksen loistava surkea hieno`,
  ro: `și si de la în in este nu o un cu pe care pentru mai din că ca au fost sunt dar este am să sa
      ce foarte bună buna bun aplicatie aplicație joc jocul merge mulțumesc multumesc super excelent
      excelentă nimic tot toate după când cand mereu niciodată acum doar fără fara îmi imi place
      recomand utilă utila ușor usor frumos frumoasa bine sau decât fiecare poate trebuie această
      ai mea meu dvs aceasta telefon face`,
  hu: `a az és hogy nem is van egy ez csak de meg már mint volt ha el jó nagyon ki még fel le minden
      én lehet kell lesz alkalmazás játék működik szuper köszönöm tetszik rossz miért mert vagy
      azt mindig soha ezt most után sok jól könnyű ajánlom kiváló használható olyan pedig lett
      jo nagyon tökéletes remek gyors de frissítés hasznos`,
  ca: `i el la de que els les amb per és no molt una un però més aquesta aquest està ho són va fer
      aplicació bona gràcies funciona sempre tot quan també perquè això si em meva puc pot molta
      útil fàcil millor ara ja dels als seva`,
  tl: `ang ng sa na ko ako hindi ba po mo lang pero yung naman kasi kayo siya ito niyo nyo maganda
      salamat sana wala may mga para at pag talaga masaya laro laging ayaw bakit ganda di nya nila
      kung pa din rin dito yong pwede paki ayos sobra dahil ngayon`,
  ms: `nak nak_guna tak_boleh betulkan khidmat perkhidmatan kemaskini kemas_kini apl kerana
      sahaja awak telefon muat_naik muat_turun log_masuk macam_mana teruk lembab senang_nak_guna
      ni takde takda korang mesej pendaftaran bayaran akaun penghantaran cuba
      nombor betul_betul sangat_mudah duit_masuk kata_laluan laman_sesawang kakitangan seronok lawak syabas
      tahniah suka_sangat bagus_sangat syarikat kenapa_tak lepas_update lepas_tu apl_ni app_ni tak_dapat
      langsung_tak tolong_baiki asyik`,
};
