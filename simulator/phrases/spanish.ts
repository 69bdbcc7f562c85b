// Invented reviews in Spanish.
import type { PhraseBook } from "./phrase-book.ts";

export const spanish: PhraseBook = {
  nicknames: ["caminante", "Rocío P", "elmonte", "nuria_21", "Pablito", "mar.azul", "tinta"],
  slots: {
    device: ["tableta", "teléfono viejo", "teléfono nuevo"],
    feature: ["el calendario", "el widget", "la búsqueda", "el modo oscuro", "las listas"],
    time: ["una semana", "tres meses", "dos años", "medio año"],
    price: ["2,99 al mes", "40 al año", "5 euros"],
  },
  praise: [
    ["Muy buena", "La uso desde hace {time} y funciona de maravilla. Me encanta {feature}."],
    ["Excelente", "Sencilla, rápida y bonita. Organizo toda mi semana con ella."],
    ["Por fin", "Probé muchas otras antes. Esta vale cada céntimo de {price}."],
    ["Gran atención", "Escribí al equipo por {feature} y respondieron el mismo día."],
    ["Fluida", "Abre al instante y el nuevo diseño es precioso."],
  ],
  mixed: [
    ["Buena pero cara", "Me gusta {feature}, pero {price} es demasiado para una lista de tareas."],
    [
      "Casi perfecta",
      "Bonita aplicación. Falta poner recordatorios por lugar y le doy cinco estrellas.",
    ],
    ["Regular", "Funciona bien, pero desde la {version} gasta muchísima batería."],
  ],
  complaints: [
    [
      "Demasiada publicidad",
      "Cada vez que toco algo sale un anuncio a pantalla completa. Así no se puede.",
    ],
    [
      "Perdí mis notas",
      "Falló la sincronización y desapareció todo lo que tenía desde hace {time}.",
    ],
    ["Lenta", "Tarda muchísimo en abrir en mi {device}. Antes iba rápido."],
    ["Me cobraron igual", "Cancelé la prueba y me cobraron {price}. Quiero mi dinero de vuelta."],
    ["No avisa", "Las notificaciones llegan horas tarde o no llegan nunca."],
    ["Mala actualización", "¿Por qué cambiaron todo de sitio? Ya no encuentro nada."],
  ],
  outrage: [
    ["Se cierra sola", "Desde la versión {version} se cierra cada vez que la abro. ¡Arréglenlo!"],
    ["No puedo entrar", "Con la actualización {version} ya no acepta mi contraseña."],
    ["No sirve", "Pantalla en blanco y se cierra. La reinstalé dos veces y sigue igual."],
  ],
  more: {
    good: ["La recomiendo.", "¡Gracias a los desarrolladores!", "Sigan así.", "Muy contenta."],
    bad: ["Muy decepcionado.", "Busco otra.", "Por favor, arréglenlo pronto."],
  },
  replies: ["Gracias por avisar. La última versión ya corrige este problema."],
};
