<?php
// PHP 8, without packages: php -S 127.0.0.1:3000 receiver.php
function isFromStarpost(string $body): bool {
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $sentAt = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    $key = base64_decode(preg_replace('/^whsec_/', '', getenv('STARPOST_SECRET')));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$sentAt.$body", $key, true));
    // An older request may be a recording that was sent again.
    if (abs(time() - (int) $sentAt) > 300) return false;
    // There are several while a secret is being replaced.
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $received) {
        if (hash_equals($expected, $received)) return true;
    }
    return false;
}

$body = file_get_contents('php://input');
if (!isFromStarpost($body)) {
    http_response_code(401);
    exit;
}
$event = json_decode($body, true);
error_log($event['event'] . ' ' . ($event['review']['rating'] ?? ''));
http_response_code(204);
