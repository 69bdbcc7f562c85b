<?php
// PHP 8, without packages: php -S 127.0.0.1:3000 receiver.php
$body = file_get_contents('php://input');
$expected = 'sha256=' . hash_hmac('sha256', $body, getenv('STARPOST_SECRET'));
if (!hash_equals($expected, $_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? '')) {
    http_response_code(401);
    exit;
}
$event = json_decode($body, true);
error_log($event['event'] . ' ' . ($event['review']['rating'] ?? ''));
http_response_code(204);
